"""A walk over every number of the terminal: each keeps its cell, equals it, and opens down to what was given."""

import math
import random
import re
from collections.abc import Sequence

import pytest
from rich.text import Text

from regard.lens.explanation import explanation
from regard.lens.prediction import prediction
from regard.lessons import LESSONS, lesson
from regard.lessons.claims_of_run import claims_beside
from regard.models.catalogue import find_model
from regard.models.writing import runs_of, write_on
from regard.ops import Contract, Given, Map, Replace, Scatter
from regard.trace import Arithmetic, Cell, Trace
from regard.views.flow import check_lines, flow_lines, looks_lines
from regard.views.ink import Ink, cells_of
from regard.views.lessons import MOST_HEADS
from regard.views.lessons import screen as lesson_screen
from regard.views.terminal import screen
from regard.views.written import written_lines

STAGES = "EMBED|PROJECT|SCORE|MIX|HEADS|LOGITS|PREDICT|LOSS|BLAME|UPDATE"
# what has digits on a screen and is no number of the run: a pattern, and what it is
EXCEPTIONS = {
    rf"\b\d+(-\d+)? ({STAGES})": "a stage's number",
    r"\b(layers|width|heads|vocabulary) +\d+|\d+ million parameters|\w \([\d,]+\)": "names and sizes",
    r"\blayer ?\d+|\bhead ?\d+|\bnorm\d\b": "the name of a layer, of a head, of a norm",
    r"@\d+|^ {2,3}\d+ (?=\S+ +-?\d)|^ {1,2}\d+  (?=\S)|^\d+ +(?=-?\d)|^[ \d]+$": "a position, of a word or of a row",
    r"\b[\w.]+\[(?:\"[^\"]*\"|[^\]\"])*\]": "the address of a cell",
    r"… \d+|\d+ (vectors of \d+ numbers|more\b|norms\b|edits?\b|update:)|number \d+": "a count of things",
    r"/(√|sqrt )\d+\b": "a constant, in the name of a formula",
    r"text says [\d.]+|\(line \d+;": "what a document claims, and on which line",
    r"finite differences \de-\d+|sums? to 1\b|not to 1\b": "the error of a check, and the 1 that a row should make",
    r"(dragged|set) to [\d.]+": "what somebody set by hand",
    r"^ next .*|^ {12}--.*": "a command to copy",
    r"[-+][\d.]+$|correlation with what is lost.*": "integrated gradients, from many runs, and how well guesses do",
}
GIVEN = ("after.rate", "guessing.words", "visible")  # constants that are neither parameters nor words
FINDS = re.compile("|".join(f"(?:{pattern})" for pattern in EXCEPTIONS))
READS = {"▲": "-", "▼": "", "more by ": "-", "less by ": "", "+": "", "×": ""}  # ▲: more of it, for its gradient is < 0
LONG = "Once upon a time there was a little girl who lived in a small house near the sea and a"
RUNS = {
    "fox": ("The quick brown fox", "jumps", "weights[fox,fox]", "quick"),
    "two-heads": ("On the mat a cat sat", "purring", "weights[1,sat,mat]", "cat"),
    "english": (LONG, "big", "layer5.weights[3,16,2]", "girl"),
    "masked": ("The little [MASK] went home", "girl", "layer2.weights[2,2,1]", "went"),
}
MOST_PATHS, MOST_TERMS = 24, 10_000
INK = Ink()


def kinds(model: str) -> dict[str, Trace]:
    """The runs whose screens are walked: as it is, with a next word, with a number set, with a word hidden."""
    text, next, cell, word = RUNS[model]
    run = find_model(model).run(text, next).backward()
    return {
        "plain": find_model(model).run(text),
        "next": run,
        "edited": run.edit(cell, 0.3),
        "moved": run.move(cell, 0.2),
        "hidden": run.hide(word),
    }


def explained(trace: Trace, ink: Ink = INK) -> tuple[Trace, list[Text]]:
    e = explanation(trace)
    return e.trace, screen(e, ink, claims_beside(trace))


def flowed(trace: Trace, ink: Ink = INK) -> tuple[Trace, list[Text]]:
    flow = trace.flow()
    return flow.trace, flow_lines(flow, ink, 12)


def cut(trace: Trace, ink: Ink = INK) -> tuple[Trace, list[Text]]:
    flow = trace.flow()
    return flow.trace, check_lines(flow, 3, ink)


SCREENS = {"explain": explained, "flow": flowed, "flow --check": cut}


def with_digits(trace: Trace) -> list[str]:
    """The words of a text that have digits in them: they are words."""
    named = {word for letter in "TQK" for word in trace.labels.words.get(letter, ())}
    return [re.escape(word) for word in sorted(named) if re.search(r"\d", word) and not word.isdigit()]


def bare(line: Text, words: Sequence[str] = ()) -> list[str]:
    """The numbers of a line that have no cell, and are none of what is listed."""
    opens = [(start, end) for start, end, _ in cells_of(line)]
    listed = [
        match.span() for match in [*FINDS.finditer(line.plain), *re.finditer("|".join(words) or "$^", line.plain)]
    ]
    return [
        match.group()
        for match in re.finditer(r"\d+", line.plain)
        if not any(start <= match.start() and match.end() <= end for start, end in [*opens, *listed])
    ]


def is_equal(written: str, value: float) -> bool:
    """Whether a number is what is written, to the digits that are."""
    for sign, plain in READS.items():
        written = written.replace(sign, plain)
    if "∞" in written:
        return math.isinf(value)
    digits, _, power = written.rstrip("%").partition("e")
    last = 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))
    return abs(float(written.rstrip("%")) - value * (100 if "%" in written else 1)) <= 0.5000001 * last


def opened(trace: Trace, cell: Cell) -> Arithmetic:
    """The arithmetic of a cell, which is the cell: nothing on the way is a bare number."""
    found = trace.why(cell)
    step, value = cell.step, found.expression.value
    assert value == cell.value or math.isclose(value, cell.value, rel_tol=1e-9, abs_tol=1e-12), step.name
    by_hand = isinstance(step.op, Replace) and step.op.at == cell.at
    is_hidden = isinstance(step.op, Map | Scatter) and cell.value in (-math.inf, 0.0)  # nothing comes past the mask
    assert found.cells or isinstance(step.op, Given) or by_hand or is_hidden, f"{step.name} opens to nothing"
    return found


def descend(trace: Trace, cell: Cell, choose: random.Random) -> None:
    """Down one path, at random, to where nothing more can be opened: what was given, or set, or hidden."""
    while parts := parts_of(trace, cell, choose):
        cell = choose.choice(parts)


def parts_of(trace: Trace, cell: Cell, choose: random.Random) -> Sequence[Cell]:
    """What a cell was made of; of a sum over all numbers of a large matrix, one of them."""
    first = cell.step.inputs[0] if cell.step.inputs else cell.step
    if isinstance(cell.step.op, Contract) and not cell.step.axes and math.prod(first.shape) > MOST_TERMS:
        return [Cell(first, tuple(map(choose.randrange, first.shape)), cell.run)]
    return opened(trace, cell).cells


def walk(trace: Trace, lines: list[Text]) -> list[Cell]:
    """Every number of a screen, at its cell."""
    cells, words = [], with_digits(trace)
    for line in lines:
        assert not bare(line, words), line.plain
        for start, end, address in cells_of(line):
            cell = trace.cell(address)
            assert is_equal(line.plain[start:end], cell.value), f"{line.plain[start:end]} is {address} = {cell.value}"
            if isinstance(cell.step.op, Given):
                assert cell.step.op.role in ("parameter", "input") or cell.step.name in GIVEN, address
            cells.append(cell)
    return cells


@pytest.mark.parametrize("model", RUNS)
@pytest.mark.parametrize("name", SCREENS)
def test_every_number_on_the_screen_is_a_cell_that_opens_to_what_was_given(model, name):
    choose = random.Random(7)
    for kind, run in kinds(model).items():
        if name == "flow --check" and kind not in ("next", "edited"):  # each cuts, and integrates, in many runs
            continue
        trace, lines = SCREENS[name](run)
        cells = walk(trace, lines)
        assert len(cells) > 3, kind
        for cell in cells:
            opened(trace, cell)
        for cell in choose.sample(cells, min(MOST_PATHS, len(cells))):
            descend(trace, cell, choose)


@pytest.mark.parametrize("ink", [Ink(width=50), Ink(width=80, digits=9), Ink(plain=True)], ids=str)
def test_numbers_keep_their_cells_when_lines_are_broken_and_columns_dropped(ink):
    for draw in SCREENS.values():
        trace, lines = draw(kinds("fox")["next"], ink)
        assert len(walk(trace, lines)) > 5


@pytest.mark.parametrize("name", LESSONS)
def test_every_number_of_a_lessons_tables_opens_and_every_claim_that_names_a_cell(name):
    """What a document says, and what is remarked about it, are sentences; all above them are the lesson's numbers."""
    found = lesson(name)
    trace, choose = found.make(), random.Random(7)
    lines = lesson_screen(found, INK, every_claim=True)
    titles = [frames.title for frames in found.frames(trace)] if found.frames else []  # runs side by side: not walked
    rankings = found.rankings() if found.rankings else []  # of other runs, in which their numbers open
    titles += [f"{model}: “{readings.reader}”" for model, readings in rankings]
    begun = next(i for i, line in enumerate(lines) if line.plain.startswith(("what it says", *titles)))
    cells = walk(trace, lines[2:begun])
    for model, readings in rankings:
        at = next(i for i, line in enumerate(lines) if line.plain.startswith(f"{model}: “"))
        assert len(walk(readings.trace, lines[at + 2 : at + 2 + MOST_HEADS])) == 3 * MOST_HEADS
        del lines[at : at + 2 + MOST_HEADS]
    claims = [
        (line.plain[start:end], trace.cell(cell)) for line in lines[begun:] for start, end, cell in cells_of(line)
    ]
    assert all(is_equal(written, cell.value) for written, cell in claims)
    assert len(claims) == sum(bool(claim.cell) for claim in found.check())
    for cell in [*cells, *(cell for _, cell in claims)]:
        descend(trace, cell, choose)


@pytest.mark.parametrize("model", ["fox", "english"])
def test_every_number_of_a_written_word_opens_in_the_run_that_chose_it(model):
    written = list(write_on(find_model(model), RUNS[model][0], 3))
    runs = runs_of(written)
    lines = written_lines("…", [prediction(run, one.word) for one, run in zip(written, runs)], INK)
    choose = random.Random(7)
    own = [line for line in lines if "rather than" in line.plain]
    for line, run in zip(own, runs, strict=True):
        cells = walk(run, [line])
        assert len(cells) == 3
        for cell in cells:
            descend(run, cell, choose)
    walk(runs[-1], [line for line in lines if line not in own])


def test_every_number_of_a_look_opens():
    trace = kinds("english")["plain"]
    looks = trace.looks("layer3.scores[1,16,2]")
    lines = looks_lines(looks, trace, INK, 5)
    assert not [number for line in lines for number in bare(line)]
    for pair in looks.top(5):
        descend(trace, pair.cell, random.Random(7))


def test_the_exceptions_are_few():
    assert len(EXCEPTIONS) <= 12


def test_the_walk_finds_a_wrong_cell_and_a_bare_number():
    trace, lines = explained(kinds("fox")["next"])
    line = next(line for line in lines if "brown" in line.plain and "0.270" in line.plain)
    wrong = Text(line.plain.replace("0.540", "0.541"), spans=line.spans)
    with pytest.raises(AssertionError, match="scores"):
        walk(trace, [wrong])
    with pytest.raises(AssertionError):
        walk(trace, [Text(line.plain)])
