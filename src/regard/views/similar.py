"""How alike texts are, on screen: a matrix of cosines where it fits, else the pairs that are most alike."""

from rich.text import Text

from regard.lens.similar import Similar
from regard.views.columns import Column, table
from regard.views.ink import QUIET, STAGE, WEIGHT, Ink
from regard.views.layout import command_lines, shortened, wrapped

MATRIX = 12  # texts up to which all cosines are shown
PAIRS = 20


def similar_lines(found: Similar, ink: Ink) -> list[Text]:
    count = len(found.texts)
    title = Text.assemble(("SIMILAR", STAGE), f"   {count:,} texts in {found.trace.info['title']}")
    notes = [line for note in found.notes for line in wrapped(note, 2, ink, QUIET)]
    fits = count <= MATRIX and ink.width >= 40 + 8 * count
    return [title, *notes, *(_matrix(found, ink) if fits and count > 2 else _pairs(found, ink)), *_opens(found, ink)]


def _matrix(found: Similar, ink: Ink) -> list[Text]:
    numbers = range(len(found.texts))
    columns = [
        Column("", [str(i) for i in numbers]),
        Column("text", [shortened(text, 32) for text in found.texts], left=True),
        *(Column(str(j), [ink.number(found.cosine(i, j), 3) for i in numbers]) for j in numbers),
    ]
    return table(columns, ink, 2)


def _pairs(found: Similar, ink: Ink) -> list[Text]:
    pairs = found.pairs()
    shown = pairs[:PAIRS]
    cells = [found.cosine(i, j) for i, j in shown]
    columns = [
        Column("cosine", [ink.number(cell, 3) for cell in cells]),
        Column("", [ink.bar(cell.value, 12) for cell in cells], style=WEIGHT, left=True, least=12, drop=1),
        *(
            Column(name, [f"{pair[k]}  {shortened(found.texts[pair[k]], 36)}" for pair in shown], left=True)
            for k, name in enumerate(("text", "other text"))
        ),
    ]
    left_out = len(pairs) - len(shown)
    rest = wrapped(f"… {left_out:,} pairs less alike; --json has them all", 2, ink, QUIET) if left_out else []
    return [*table(columns, ink, 2), *rest]


def _opens(found: Similar, ink: Ink) -> list[Text]:
    """The command that opens the cosine of the pair that is most alike."""
    first, second = sorted(found.pairs()[0])
    texts = [found.texts[first], "--with", found.texts[second]]
    words = ["regard", "why", "similar[0,1]", "--model", str(found.trace.info["model"]), "--text", *texts]
    return command_lines("opens", words, ink)
