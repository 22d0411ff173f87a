"""The rules for rows in prose: "0.2, 0.3 and 0.5 sum to 1", and "98% from Orange" below a row of scores.

Rounded shares need not add up to the digit: three times 0.33 is a fair row. And a percentage may speak of anything, so
four things must come together: a score row above, talk of a softmax or of attention on the page, a label of that row
in the same sentence, and no word that makes the number a bound.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from regard.audit import data
from regard.audit.columns import meaning, roles_of
from regard.audit.evaluate import softmax
from regard.audit.finding import Notebook, occurrences, show
from regard.audit.nodes import Call, Number, Unreadable, Vector
from regard.audit.judge import failures, judge
from regard.audit.notation import plain
from regard.audit.pages import LONGEST_LINE, Line
from regard.audit.tables import Table
from regard.audit.verdict import Verdict, verdict

SHARE = r"[-−]?(?:\d+\.\d+|\.\d+|\d+(?:\.\d+)?\s?%)"
LABEL = r"(?:[\"'“”‘’]?[^\W\d]\w*[\"'“”‘’]?\s*[:=]?\s*|\()?"
NEAR = 12  # lines between a table and a sentence about its rows

# or its label, at once or in "of what you need from Orange"
NAMES = r"(?:\s+of\s+(?:[\w'’]+\s+){{1,5}}(?:from|on|to|at|towards?)\b)?\W*(?:of\s+)?(?:the\s+)?\W*{}\b"
MOST_SHARES = 20  # in one sentence; more is a listing
FARTHEST = 60  # lines between a score row and a sentence about it


def check_sums(lines: Sequence[Line], tables: Sequence[Table], notebook: Notebook) -> None:
    """Judge every row that is said to sum to something."""
    for line in lines:
        low = line.text.lower() if len(line.text) <= LONGEST_LINE else ""
        if not any(word in low for word in ("sum", "add", "total", "σ", "∑")):
            continue
        for found in data.SAID.finditer(line.text):
            before = line.text[: found.start()]
            if data.NOT_SAID.search(before[-40:]) or not data.ENDS.match(line.text, found.end()):
                continue
            target = found["target"] or found["sigma"]
            target = Number("1" if target.lower() == "one" else target, -1, bool(found["percent"]), line.number)
            if row := _row_before(before, line.number):
                _judge_sum(row, target, "", notebook)
            elif not line.is_code and target.printed.value in (1.0, 100.0):
                _check_above(line, target, tables, notebook)
    for table in tables:
        _check_totals(table, notebook)


def _row_before(text: str, line: int) -> list[Number]:
    """The row a sentence speaks of: the last brackets, or else the last run of shares."""
    text = " ".join(text.split())  # one space between words: the patterns below try every way to share spaces out
    brackets = list(data.BRACKETS.finditer(text))
    inside, rest = "", ""
    if brackets:
        inside, rest = brackets[-1][1], text[brackets[-1].end() :]
    elif "│" in text:
        inside, _, rest = text.rpartition("│")
        inside = inside.rpartition("│")[2]
    if "…" in (inside or text) or "..." in (inside or text):
        return []
    if not inside:
        text = " ".join(plain(text).split())
        runs = list(data.RUN.finditer(text))
        inside, rest = (runs[-1][0], text[runs[-1].end() :]) if runs else ("", "")
    if not data.POINTS_BACK.fullmatch(rest):
        return []
    row = [
        Number(n.replace("−", "-"), at, bool(mark), line) for at, (n, mark) in enumerate(data.NUMBER.findall(inside))
    ]
    shares = sum("." in number.text or number.percent for number in row)
    return row if shares >= 2 or (len(row) >= 2 and shares >= len(row) - 1) else []


def _judge_sum(row: Sequence[Number], target: Number, what: str, notebook: Notebook, nth: int = -1) -> None:
    percent = target.percent or any(number.percent for number in row)
    if (percent and not any(number.percent for number in row) and sum(number.value for number in row) >= 5) or any(
        number.percent for number in row
    ):
        row = [number._replace(percent=True) for number in row]
    node = Call("sum", (Vector(tuple(row)),))
    try:
        judged = judge(node, target, {})
    except Unreadable:
        return
    total = math.fsum(number.value for number in row) * (100 if target.percent else 1)
    if failures(judged) and row[-1].text.strip("0").rstrip(".") == target.text.strip("0").rstrip("."):
        notebook.leave(target.line, "a row that ends in its own sum")
        return
    mark = "%" if target.percent else ""
    what = what or "sum of " + " ".join(number.text for number in row)
    notebook.claim(
        target.line, what, target.text + mark, show(round(total, 9)) + mark, judged[0].verdict, nth=nth, node=node
    )


def _check_above(line: Line, target: Number, tables: Sequence[Table], notebook: Notebook) -> None:
    """Judge the table above a sentence such as "each row sums to 1"."""
    above = [table for table in tables if 0 < line.number - table.lines[-1] <= NEAR]
    if not above or not data.ABOVE.search(line.text) or len(above[-1].header) < 3:
        return
    rows = [[cell.node for cell in cells[1:]] for cells in above[-1].rows]
    kept = [[node for node in row if isinstance(node, Number)] for row in rows]
    most = [100 if number.percent else target.printed.value for row in kept for number in row]
    values = [number.printed.value for row in kept for number in row]
    if [len(row) for row in rows] != [len(row) for row in kept] or not all(
        0 <= v <= m for v, m in zip(values, most, strict=True)
    ):
        return  # a year among them, or scores: rows of something else
    totals = [sum(number.value for number in row) / target.value for row in kept]
    if sum(abs(total - 1) > 0.25 for total in totals) * 2 > len(totals) or (
        any(abs(total - 1) > 0.25 for total in totals)
        and re.search(r"softmax|after|normali|become|appl", line.text, re.I)
    ):
        return  # rows of something that is made into shares later
    for cells, row in zip(above[-1].rows, kept, strict=True):
        _judge_sum(row, target._replace(line=cells[0].line), f"row {cells[0].text} sums to {target.text}", notebook)


def _check_totals(table: Table, notebook: Notebook) -> None:
    """Judge the total of a column, where a table says that it is 1 or 100 %."""
    *body, last = table.rows
    if len(body) < 2 or not data.IS_TOTAL.match(last[0].text):
        return
    for at in range(1, len(last)):
        total, in_percent = last[at].node, "%" in table.header[at]
        numbers = [cells[at].node for cells in body]
        row = [n._replace(percent=n.percent or in_percent) for n in numbers if isinstance(n, Number)]
        if not isinstance(total, Number) or len(row) != len(body):
            continue
        total = total._replace(percent=total.percent or (in_percent and total.printed.value == 100.0))
        if total.value == 1.0:
            _judge_sum(row, total, f"total of {table.header[at]}", notebook, table.nth(total))


class ScoreRow(NamedTuple):
    """Labels and their scores, with the line they end on; `weights` where the page prints those too."""

    line: int
    labels: tuple[str, ...]
    scores: tuple[float, ...]
    owner: str = ""
    scaled: bool = False
    weights: tuple[float, ...] = ()


def check_shares(lines: Sequence[Line], tables: Sequence[Table], texts: Mapping[int, str], notebook: Notebook) -> None:
    """Judge every percentage that names a label of the nearest score row above it."""
    mentions = [
        line for line in lines if not line.is_code and len(line.text) <= LONGEST_LINE and data.PERCENT.search(line.text)
    ]
    if not mentions or not any(data.SHARES_SPEAKS_OF_SHARES.search(line.text) for line in lines):
        return
    in_tables = {number for table in tables if table.separated for number in table.lines}
    rows = [row for table in tables for row in _from_columns(table) or _from_rows(table, texts)]
    rows += _from_lists([line for line in lines if line.number not in in_tables])
    rows.sort(key=lambda row: row.line)
    scaling = next((line.number for line in lines if data.SPEAKS_OF_SCALING.search(line.text)), 10**9)
    for line in mentions:
        above = [row for row in rows if 0 <= line.number - row.line <= FARTHEST]
        if above and line.number not in in_tables:
            nearest = [row for row in above if row.line == above[-1].line or (row.owner and row.owner in line.text)]
            for sentence in data.SENTENCE.split(line.text):
                _check_sentence(sentence, line, nearest, scaling < line.number, notebook)


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
    kept = [number.value for number in numbers if isinstance(number, Number)]
    if len(kept) < 2 or len(kept) != len(table.rows):
        return []
    printed = [row[roles.weight].node for row in table.rows] if roles else []
    weights = tuple(number.printed.value for number in printed if isinstance(number, Number))
    labels = tuple(label_of(row[0].text) for row in table.rows)
    scaled = bool(roles and roles.raw is not None)
    return [ScoreRow(table.lines[-1], labels, tuple(kept), "", scaled, weights if len(weights) == len(kept) else ())]


def _from_rows(table: Table, texts: Mapping[int, str]) -> list[ScoreRow]:
    """Rows of scores below a header of labels, where the page says that they are scores."""
    around = " ".join(texts.get(number, "") for number in range(table.lines[0] - 5, table.lines[-1] + 3))
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


def _from_lists(lines: Sequence[Line]) -> list[ScoreRow]:
    """`scores: cat 2.0, dog 1.0` on one line, or one label to a line below a line that speaks of scores."""
    found: list[ScoreRow] = []
    listed: list[tuple[str, float]] = []
    spoken = -10
    for line in [*lines, Line(10**9, "")]:
        entry = data.LISTED.match(line.text) if len(line.text) < 200 else None
        if entry and (listed or line.number - spoken <= 3):
            listed.append((entry[1], float(entry[2].replace("−", "-"))))
            spoken = max(spoken, line.number - 2)
            continue
        if len(listed) >= 2:
            found.append(ScoreRow(line.number - 1, *map(tuple, zip(*listed, strict=True))))  # pyright: ignore[reportArgumentType]
        listed = []
        for sentence in data.SENTENCE.split(line.text[:LONGEST_LINE]):
            if data.SPEAKS_OF_SCORES.search(sentence) and not data.IS_SHARE_LINE.search(sentence):
                spoken = line.number
                pairs = [] if "…" in sentence or "..." in sentence else data.INLINE.findall(sentence)
                pairs = [(w, s) for w, s in pairs if w.lower() not in data.COMMON | {"scores", "score", "logits"}]
                if len(pairs) >= 2:
                    scores = tuple(float(score.replace("−", "-")) for _, score in pairs)
                    found.append(ScoreRow(line.number, tuple(label for label, _ in pairs), scores))
    return found


def _check_sentence(sentence: str, line: Line, rows: list[ScoreRow], scaling: bool, notebook: Notebook) -> None:
    """Judge the percentages of one sentence."""
    if data.OTHER_MATTERS.search(sentence) or len(data.PERCENT.findall(sentence)) > MOST_SHARES:
        return
    for found in data.PERCENT.finditer(sentence):
        before, follows = sentence[: found.start()], sentence[found.end() :]
        labels = _labels_near(sentence, found, rows[-1].labels)
        named = any(re.match(NAMES.format(re.escape(label)), follows, re.IGNORECASE) for label in labels)
        if data.SHARES_BOUND.search(before) or not labels or not (named or data.FOLLOWS.match(follows)):
            continue
        nth = len(occurrences(line.text[: line.text.find(sentence) + found.start()], found[1]))
        _judge_share(found[1], labels, rows, line.number, nth, scaling, bool(data.NEARLY.search(before)), notebook)


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


def _judge_share(
    printed: str,
    labels: list[str],
    rows: list[ScoreRow],
    line: int,
    nth: int,
    scaling: bool,
    about: bool,
    notebook: Notebook,
) -> None:
    """Right if it is the share of any label it may speak of; wrong only for the likeliest."""
    judged: list[tuple[str, float, Verdict, ScoreRow]] = []
    for label in labels:
        for row in rows:
            for at in (at for at, name in enumerate(row.labels) if name.lower() == label):
                share = float(softmax(np.array(row.scores))[at]) * 100
                if row.weights and any(
                    math.isclose(float(printed), row.weights[at] * by, rel_tol=1e-9) for by in (1, 100)
                ):
                    return  # the table says so too, and was judged there
                judged.append((row.labels[at], share, verdict(printed, share, about=about), row))
    right = next((one for one in judged if not one[2].fails), None)
    label, share, given, row = right or judged[0]
    if right is None and ((scaling and not row.scaled) or (about and abs(share - float(printed)) < 3)):
        notebook.leave(line, "a percentage of scores that may have been scaled first")
        return
    scores = Vector(tuple(Number(f"{score:g}", at) for at, score in enumerate(row.scores)))
    digits = show(share) if share < 99 or not math.isclose(share, 100, abs_tol=1e-2) else f"{share:.6g}"
    what = f"softmax share of {label}"
    notebook.claim(line, what, f"{printed}%", f"{digits}%", given, nth=nth, node=Call("softmax", (scores,)))
