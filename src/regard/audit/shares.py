"""The rules for rows in prose: "0.2, 0.3 and 0.5 sum to 1", and "98% from Orange" below a row of scores.

Rounded shares need not add up to the digit: three times 0.33 is a fair row. And a percentage may speak of anything, so
four things must come together: a score row above, talk of a softmax or of attention on the page, a label of that row
in the same sentence, and no word that makes the number a bound.
"""

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from regard.audit import data
from regard.audit.context import Page
from regard.audit.evaluate import softmax
from regard.audit.finding import occurrences, show
from regard.audit.judge import Judged, failures, judge
from regard.audit.nodes import Call, Number, Unreadable, Vector
from regard.audit.notation import plain
from regard.audit.pages import LONGEST_LINE, Line
from regard.audit.tables import Table
from regard.audit.verdict import verdict
from regard.audit.weights import meaning, roles_of

NEAR = 12  # lines between a table and a sentence about its rows
FARTHEST = 60  # lines between a score row and a sentence about it
FAR = 0.25  # a sum that is this far off is one of something else
MOST_SHARES = 20  # in one sentence; more is a listing
# the label of a share, at once or in "of what you need from Orange"
NAMES = r"(?:\s+of\s+(?:[\w'’]+\s+){{1,5}}(?:from|on|to|at|towards?)\b)?\W*(?:of\s+)?(?:the\s+)?\W*{}\b"


def check_sums(page: Page) -> None:
    """Judge every row that is said to sum to something, and every total of shares."""
    for line in page.lines:
        low = line.text.lower() if len(line.text) <= LONGEST_LINE else ""
        for found in data.SAID.finditer(line.text) if any(word in low for word in data.SUMMING) else ():
            before = line.text[: found.start()]
            goes_on = re.match(r"\s*[-+*×·/]\s*[\d(]", line.text[found.end() :])  # "add: 1 + 2.718" says no sum yet
            if goes_on or data.NOT_SAID.search(before[-40:]) or not data.ENDS.match(line.text, found.end()):
                continue
            digits = found["target"] or found["sigma"]
            digits = {"one": "1", "zero": "0"}.get(str(digits).lower(), str(digits))
            target = Number(digits, -1, bool(found["percent"]), line.number)
            row = _cells_before(page, line, found[0]) or _row_before(before, line.number)
            if row := row or _line_before(page, before, line.number):
                _judge_sum(page, _end_that_fits(row, target), target)
            elif not line.is_code and target.printed.value in (0.0, 1.0, 100.0) and data.ABOVE.search(line.text):
                _check_above(page, line, target)


def _row_before(text: str, line: int) -> list[Number]:
    """The row a sentence speaks of: the last brackets, or else the last run of shares."""
    text = " ".join(text.split())  # one space between words: the patterns below try every way to share spaces out
    brackets = list(data.BRACKETS.finditer(text))
    inside, rest = "", ""
    if brackets:
        inside, rest = brackets[-1][1], text[brackets[-1].end() :]
    if "…" in (inside or text) or "..." in (inside or text):
        return []
    if not inside:
        text = " ".join(plain(text).split())
        runs = list(data.RUN.finditer(text))
        begins = re.search(r"(?:(?<![\w.])\d+, ?)*$", text[: runs[-1].start()]) if runs else None  # 1, 0.14, 0.05
        inside, rest = (begins[0] + runs[-1][0], text[runs[-1].end() :]) if begins else ("", "")
    if not data.POINTS_BACK.fullmatch(rest):
        return []
    found = enumerate(data.NUMBER.findall(inside))
    row = [Number(n.replace("−", "-"), at, bool(mark), line) for at, (n, mark) in found]
    shares = sum("." in number.text or number.percent for number in row)
    return row if shares >= 2 or (len(row) >= 2 and shares >= len(row) - 1) else []


def _cells_before(page: Page, line: Line, said: str) -> list[Number]:
    """The numbers of a row of a table that ends in their sum: all of them, also those that look like no shares."""
    for row in (row for table in page.tables for row in table.rows if row[0].line == line.number):
        at = next((at for at, cell in enumerate(row) if said.strip() in cell.text), 0)
        nodes = [cell.node for cell in row[1:at]]
        if len(nodes) > 2 and all(isinstance(node, Number) for node in nodes):
            return [node for node in nodes if isinstance(node, Number)]
    return []


def _line_before(page: Page, text: str, line: int) -> list[Number]:
    """The numbers of a line above that holds nothing else, where a line begins with their total."""
    above = next((page.texts[at] for at in (line - 1, line - 2) if page.texts.get(at, "").strip()), "")
    if text.strip() or not data.ONLY_A_LIST.fullmatch(above.strip()):
        return []
    found = enumerate(data.NUMBER.findall(above))
    return [Number(digits.replace("−", "-"), at, bool(mark), line) for at, (digits, mark) in found]


def _end_that_fits(row: list[Number], target: Number) -> list[Number]:
    """The last numbers of a row that come to its sum, where all of them do not: exp 7.39, 2.72, sum 10.11."""
    for start in range(len(row) - 1):
        part = row[start:]
        if abs(math.fsum(number.value for number in part) - target.value) <= target.step * (len(part) + 1) / 2:
            return part
    return row


def _judge_sum(page: Page, row: Sequence[Number], target: Number, what: str = "", nth: int = -1) -> None:
    marked = any(number.percent for number in row)
    if marked or (target.percent and sum(number.value for number in row) >= 5):
        row = [number._replace(percent=True) for number in row]
    node = Call("sum", (Vector(tuple(row)),))
    try:
        (one,) = judge(node, target, {})
    except Unreadable:
        return
    if one.verdict.fails and row[-1].text.strip("0").rstrip(".") == target.text.strip("0").rstrip("."):
        page.leave(target.line, "a row that ends in its own sum")
        return
    mark = "%" if target.percent else ""
    total = math.fsum(number.value for number in row) * (100 if target.percent else 1)
    one = Judged(target.text + mark, show(round(total, 9)) + mark, one.verdict)
    page.judged(target.line, what or "sum of " + " ".join(number.text for number in row), one, nth, node, {})


def _check_above(page: Page, line: Line, target: Number) -> None:
    """Judge the table above a sentence such as "each row sums to 1"."""
    above = [table for table in page.tables if 0 < line.number - table.lines[-1] <= NEAR]
    if not above or len(above[-1].header) < 3 or not target.value:
        return
    rows = [[cell.node for cell in cells[1:]] for cells in above[-1].rows]
    kept = [[node for node in row if isinstance(node, Number)] for row in rows]
    numbers = [number for row in kept for number in row]
    shares = all(0 <= n.printed.value <= (100 if n.percent else target.printed.value) for n in numbers)
    if not shares or [len(row) for row in rows] != [len(row) for row in kept]:
        return  # a year among them, or scores: rows of something else
    far = [abs(sum(number.value for number in row) / target.value - 1) > FAR for row in kept]
    if sum(far) * 2 > len(far) or (any(far) and data.MADE_LATER.search(line.text)):
        return  # rows of something that is made into shares later
    for cells, row in zip(above[-1].rows, kept, strict=True):
        what = f"row {cells[0].text} sums to {target.text}"
        _judge_sum(page, row, target._replace(line=cells[0].line), what)


class ScoreRow(NamedTuple):
    """Labels and their scores, with the line they end on."""

    line: int
    labels: tuple[str, ...]
    scores: tuple[float, ...]
    owner: str = ""
    scaled: bool = False


def check_shares(page: Page) -> None:
    """Judge every percentage that names a label of the nearest score row above it."""
    prose = [line for line in page.lines if not line.is_code and len(line.text) <= LONGEST_LINE]
    mentions = [line for line in prose if data.PERCENT.search(line.text) and line.number not in page.in_tables]
    if not mentions or not any(data.SHARES_SPEAKS_OF_SHARES.search(line.text) for line in page.lines):
        return
    rows = [row for table in page.tables for row in _from_columns(table) or _from_rows(table, page)]
    rows += _from_lists([line for line in page.lines if line.number not in page.in_tables])
    rows.sort(key=lambda row: row.line)
    scaling = next((line.number for line in page.lines if data.SPEAKS_OF_SCALING.search(line.text)), 10**9)
    for line in mentions:
        above = [row for row in rows if 0 <= line.number - row.line <= FARTHEST]
        nearest = [row for row in above if row.line == above[-1].line or (row.owner and row.owner in line.text)]
        for sentence in data.SENTENCE.split(line.text) if nearest else ():
            _check_sentence(page, sentence, line, nearest, scaling < line.number)


def label_of(text: str) -> str:
    """The word a cell names: `Orange (K) Slate Blue` is Orange.

    >>> label_of('"cat" (K)'), label_of("**the**")
    ('cat', 'the')
    """
    return re.sub(r"[^\w\s-]", "", text.partition("(")[0]).strip()


def _from_columns(table: Table) -> list[ScoreRow]:
    """A column of scores beside a column of labels."""
    scores = [at for at, name in enumerate(table.header) if meaning(name) == "score"]
    if not scores or 0 in scores:
        return []
    roles = roles_of(table.header)
    numbers = [row[roles.score if roles else scores[-1]].node for row in table.rows]
    kept = tuple(number.value for number in numbers if isinstance(number, Number))
    if len(kept) < 2 or len(kept) != len(table.rows):
        return []
    labels, scaled = tuple(label_of(row[0].text) for row in table.rows), bool(roles and roles.raw is not None)
    return [ScoreRow(table.lines[-1], labels, kept, "", scaled)]


def _from_rows(table: Table, page: Page) -> list[ScoreRow]:
    """Rows of scores below a header of labels, where the page says that they are scores."""
    around = page.near(table.lines[0], 5, table.lines[-1] - table.lines[0] + 2)
    labels = tuple(label_of(name) for name in table.header[1:])
    if not data.SPEAKS_OF_SCORES.search(around) or len(labels) < 2 or not all(labels):
        return []
    found: list[ScoreRow] = []
    for cells in table.rows:
        numbers = [cell.node for cell in cells[1:]]
        scores = tuple(n.value for n in numbers if isinstance(n, Number) and not n.percent)
        weights = all(0 <= score <= 1 for score in scores) and abs(sum(scores) - 1) < 0.03  # these are weights already
        if len(scores) == len(labels) and not weights:
            found.append(ScoreRow(cells[0].line, labels, scores, label_of(cells[0].text)))
    return found


def _from_lists(lines: Sequence[Line]) -> Iterator[ScoreRow]:
    """`scores: cat 2.0, dog 1.0` on one line, or one label to a line below a line that speaks of scores."""
    listed: list[tuple[str, str]] = []
    spoken = -10
    for line in [*lines, Line(10**9, "")]:
        entry = data.LISTED.match(line.text) if len(line.text) < 200 else None
        if entry and (listed or line.number - spoken <= 3):
            listed.append((entry[1], entry[2]))
            spoken = max(spoken, line.number - 2)
            continue
        if len(listed) >= 2:
            yield _scored(line.number - 1, listed)
        listed = []
        for sentence in data.SENTENCE.split(line.text[:LONGEST_LINE]):
            if data.SPEAKS_OF_SCORES.search(sentence) and not data.IS_SHARE_LINE.search(sentence):
                spoken = line.number
                pairs = [] if "…" in sentence or "..." in sentence else data.INLINE.findall(sentence)
                pairs = [(w, s) for w, s in pairs if w.lower() not in data.COMMON | {"scores", "score", "logits"}]
                if len(pairs) >= 2:
                    yield _scored(line.number, pairs)


def _scored(line: int, pairs: Sequence[tuple[str, str]]) -> ScoreRow:
    scores = tuple(float(score.replace("−", "-")) for _, score in pairs)
    return ScoreRow(line, tuple(label for label, _ in pairs), scores)


def _check_sentence(page: Page, sentence: str, line: Line, rows: list[ScoreRow], scaling: bool) -> None:
    """Judge the percentages of one sentence."""
    if data.OTHER_MATTERS.search(sentence) or len(data.PERCENT.findall(sentence)) > MOST_SHARES:
        return
    for found in data.PERCENT.finditer(sentence):
        before, follows = sentence[: found.start()], sentence[found.end() :]
        labels = _labels_near(sentence, found, rows[-1].labels)
        named = any(re.match(NAMES.format(re.escape(label)), follows, re.IGNORECASE) for label in labels)
        if data.SHARES_BOUND.search(before) or not labels or not (named or data.FOLLOWS.match(follows)):
            continue
        about = bool(data.NEARLY.search(before))
        one, row, off = _of_shares(found[1], labels, rows, about)
        if one.verdict.fails and ((scaling and not row.scaled) or (about and off < 3)):
            page.leave(line.number, "a percentage of scores that may have been scaled first")
            continue
        nth = len(occurrences(line.text[: line.text.find(sentence) + found.start()], found[1]))
        scores = Vector(tuple(Number(f"{score:g}", at) for at, score in enumerate(row.scores)))
        what = f"softmax share of {one.claimed}"
        page.judged(line.number, what, one._replace(claimed=f"{found[1]}%"), nth, Call("softmax", (scores,)), {})


def _labels_near(sentence: str, found: re.Match[str], labels: tuple[str, ...]) -> list[str]:
    """The labels a percentage may speak of, the likeliest first: after it in its clause, then before it."""
    places: list[tuple[int, str]] = []
    for label in {label.lower() for label in labels if label}:
        for match in re.finditer(rf"(?<!\w){re.escape(label)}(?!\w)(?!['’]s\b)", sentence, re.IGNORECASE):
            if label not in data.COMMON or sentence[max(0, match.start() - 1) : match.start()] in tuple("\"“'‘*`"):
                places.append((match.start(), label))
    others = list(data.PERCENT.finditer(sentence))
    clause = data.CLAUSE.search(sentence, found.end())
    end = min([m.start() for m in others if m.start() > found.start()] + [clause.start() if clause else len(sentence)])
    start = max([m.end() for m in others if m.end() <= found.start()], default=0)
    after = sorted(place for place in places if found.end() <= place[0] < end)
    before = sorted((place for place in places if start <= place[0] < found.start()), reverse=True)
    return list(dict.fromkeys(label for _, label in [*after, *before]))


def _of_shares(printed: str, labels: list[str], rows: list[ScoreRow], about: bool) -> tuple[Judged, ScoreRow, float]:
    """The share of a label that a percentage is, or else of the likeliest."""
    judged: list[tuple[Judged, ScoreRow, float]] = []
    places = [
        (row, at) for label in labels for row in rows for at, name in enumerate(row.labels) if name.lower() == label
    ]
    for row, at in places:
        share = float(softmax(np.array(row.scores))[at]) * 100
        digits = show(share) if share < 99 or not math.isclose(share, 100, abs_tol=1e-2) else f"{share:.6g}"
        one = Judged(row.labels[at], f"{digits}%", verdict(printed, share, about=about))
        judged.append((one, row, abs(share - float(printed))))
    return next((found for found in judged if not failures(found[:1])), judged[0])
