"""One number and its reasons, level by level."""

from textwrap import wrap

from rich.cells import cell_len
from rich.text import Text

from regard.suggestions import NotFound
from regard.trace import Arithmetic, Trace
from regard.views.ink import QUIET

NAMES_BESIDE = 60


def why_lines(trace: Trace, address: str, depth: int, form: str, digits: int, width: int) -> list[Text]:
    """The arithmetic of a cell as text (with the names of what was read), LaTeX or NumPy."""
    try:
        root = trace.why(address)
    except NotFound as error:
        if (".grad" in address or address.startswith("loss")) and trace.of is None:
            raise NotFound(f"{error} (gradients need the word that should follow: --next WORD)") from None
        raise
    lines: list[Text] = []
    for level, found in root.walk(depth):
        if form == "text":
            lines += _text(found, level, digits, width)
            lines += [] if level else _meaning(trace, found.cell.step.name, width)
        elif form == "latex":
            lines += [Text(f"% {found.name}"), Text(found.latex(digits))]
        else:
            lines.append(Text(f"{found.numpy()}  # {found.name}"))
    return lines


def _meaning(trace: Trace, name: str, width: int) -> list[Text]:
    """What a measured number says, and in which unit; the steps of the run itself are what they are."""
    if name in trace.steps:
        return []
    # here, not above: most numbers that are asked for are the run's own
    from regard.lens.measurements import measurement, measuring

    found = measuring(name)
    if found is None:
        return []
    told = measurement(found)
    said = f"{told.says}{f' (unit: {told.unit})' if told.unit else ''}"
    return [Text(f"  {line}", style=QUIET) for line in wrap(said, max(20, width - 2))]


def _text(found: Arithmetic, level: int, digits: int, width: int) -> list[Text]:
    indent = "  " * level
    line = Text(indent)
    line.append(found.name, style="bold" if level == 0 else "")
    line.append(f" = {found.text(digits)}")
    if not found.cells:
        return _broken(line, level, width)
    names = found.symbols()
    if len(line.plain) + 4 + len(names) <= width:
        line.append(" " * max(4, NAMES_BESIDE - len(line.plain)) if NAMES_BESIDE + len(names) <= width else "    ")
        return [line.append(names, style=QUIET)]
    return [*_broken(line, level, width), *_broken(Text(f"{indent}  = {names}", style=QUIET), level + 1, width)]


def _broken(line: Text, level: int, width: int) -> list[Text]:
    """A sum that is longer than the screen is broken before its terms, which stay whole."""
    if cell_len(line.plain) <= width:
        return [line]
    terms = line.split(" + ")
    lines = [terms[0]]
    for term in terms[1:]:
        if cell_len(lines[-1].plain) + 3 + cell_len(term.plain) <= width:
            lines[-1] = Text.assemble(lines[-1], " + ", term, style=line.style)
        else:
            lines.append(Text.assemble("  " * (level + 2), "+ ", term, style=line.style))
    return lines
