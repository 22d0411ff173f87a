"""The rule for rows said to sum to something: "0.2, 0.3 and 0.5 sum to 1", "│ 0.40 0.60 │ → sums to 1.0".

Rounded shares need not add up to the digit: three times 0.33 is a fair row. So a sum of 1 may be off by what rounding
its numbers explains, and no more; shares typed with one decimal were never rounded, and get no allowance.
"""

import math
import re
from dataclasses import replace

from regard.audit.finding import Notebook, show
from regard.audit.lines import LONGEST_LINE, Line
from regard.audit.notation import plain
from regard.audit.tables import Cell, Table, number_in
from regard.audit.verdict import Printed, Verdict, verdict

SAID = re.compile(
    r"\b(?:sum|sums|summing|summed|add|adds|adding|total|totals|totall?ing)\b(?:\s+up)?\s*(?:to|:|=|is|gives|of)\s*"
    r"(?:exactly\s+|about\s+|just\s+|≈\s*)?(?P<target>\d+(?:\.\d+)?|\.\d+|one\b)\s*(?P<percent>%?)|[Σ∑]\s*=\s*(?P<sigma>\d+(?:\.\d+)?)",
    re.IGNORECASE,
)
NOT_SAID = re.compile(r"\b(?:not|n't|never|no longer|without|instead of|rather than|longer)\b|n't\b", re.IGNORECASE)
# the number must stand alone: after "a total of 100" may come a verb or a conjunction, but no noun
ENDS = re.compile(
    r"\s*(?:$|[^\w\s?]|(?:and|or|as|but|so|because|since|which|while|in|at|again|is|are|this|that|then|thus|across|along|"
    r"over|for|within|up|like|here|there|too|also|where|on|exactly|now)\b)",
    re.IGNORECASE,
)
# and the row must be what is summed: between the two may stand signs, and words that point back to it
POINTS_BACK = re.compile(
    r"(?:[^\w\s%.]|[.](?!\d)|\s|\b(?:and|they|these|those|which|that|all|both|do|does|always|clearly|together|indeed|now|"
    r"each|row|still|here|it|this|their|really|also|exactly)\b){0,40}",
    re.IGNORECASE,
)
SHARE = r"[-−]?(?:\d+\.\d+|\.\d+|\d+(?:\.\d+)?\s?%)"
LABEL = r"(?:[\"'“”‘’]?[^\W\d]\w*[\"'“”‘’]?\s*[:=]?\s*|\()?"
RUN = re.compile(rf"{SHARE}(?:\)?\s*(?:[,;+&|/]|\band\b)?\s*(?:\band\b)?\s*{LABEL}{SHARE})+")
NUMBER = re.compile(r"([-−]?(?:\d+\.\d+|\.\d+|\d+))\s?(%?)")
BRACKETS = re.compile(r"\[([^\[\]]{3,2000})\]")
ABOVE = re.compile(r"\b(?:each|every|all|both|the)\s+(?:of the\s+)?(?:\w+\s+){0,2}rows?\b|\brows\b", re.IGNORECASE)
COLUMN_ABOVE = re.compile(r"\b(?:weights?|column|probabilities|shares|percentages)\b", re.IGNORECASE)
NEAR = 12  # lines between a table and a sentence about its rows
WIDEST = 3.0  # standard deviations of rounding that a sum may be off


def check_sums(lines: list[Line], tables: list[Table], notebook: Notebook) -> None:
    """Judge every row that is said to sum to something."""
    for line in lines:
        if len(line.text) > LONGEST_LINE or not any(
            word in line.text.lower() for word in ("sum", "add", "total", "Σ", "∑")
        ):
            continue
        for found in SAID.finditer(line.text):
            before = line.text[: found.start()]
            if NOT_SAID.search(before[-40:]):
                continue
            target = found["target"] or found["sigma"]
            target = "1" if target.lower() == "one" else target
            if not ENDS.match(line.text, found.end()):
                continue
            row = _row_before(before, line.number)
            if row:
                _judge(row, target, bool(found["percent"]), line.number, notebook)
            elif line.is_code is False and float(target) in (1.0, 100.0):
                _check_above(line, target, bool(found["percent"]), tables, notebook)
    for table in tables:
        _check_totals(table, notebook)


def _row_before(text: str, line: int) -> list[Cell]:
    """The row a sentence speaks of: the last brackets, or else the last run of shares."""
    text = " ".join(text.split())  # one space between words: the patterns below try every way to share spaces out
    brackets = list(BRACKETS.finditer(text))
    inside, _, rest = text.rpartition("│") if "│" in text else ("", "", "")
    if brackets:
        inside, rest = brackets[-1][1], text[brackets[-1].end() :]
    if "…" in (inside or text) or "..." in (inside or text):
        return []
    if not inside:
        text = " ".join(plain(text).split())
        runs = list(RUN.finditer(text))
        inside, rest = (runs[-1][0], text[runs[-1].end() :]) if runs else ("", "")
    elif "│" in inside:
        inside = inside.rpartition("│")[2]
    if not POINTS_BACK.fullmatch(rest):
        return []
    cells = [
        Cell(n.replace("−", "-"), float(n.replace("−", "-")), bool(mark), line) for n, mark in NUMBER.findall(inside)
    ]
    shares = [cell for cell in cells if "." in cell.text or cell.percent]
    return cells if len(shares) >= 2 or (len(cells) >= 2 and len(shares) >= len(cells) - 1) else []


def _judge(row: list[Cell], target: str, percent: bool, line: int, notebook: Notebook, what: str = "") -> None:
    """Judge one sum."""
    factor = 100.0 if percent and not any(cell.percent for cell in row) and sum(cell.value for cell in row) < 5 else 1.0
    if not percent and any(cell.percent for cell in row):
        factor = 0.01
    total = math.fsum(cell.value for cell in row) * factor
    given = verdict_on_sum(row, target, total, factor)
    mark = "%" if percent else ""
    if given.fails and row[-1].text.strip("0").rstrip(".") == target.strip("0").rstrip("."):
        notebook.leave("a row that ends in its own sum")
        return
    notebook.claim(
        line,
        what or "sum of " + " ".join(cell.text for cell in row),
        target + mark,
        show(round(total, 9)) + mark,
        given,
    )


def verdict_on_sum(row: list[Cell], target: str, total: float, factor: float = 1.0) -> Verdict:
    """Exact, or off by no more than rounding the row explains.

    >>> row = [Cell("0.33", 0.33, False, 1)] * 3
    >>> verdict_on_sum(row, "1", 0.99).value, verdict_on_sum(row, "1", 0.9).value
    ('rounded', 'wrong')
    """
    claimed = float(target)
    if abs(total - claimed) <= 1e-9 * max(1.0, abs(claimed)):
        return Verdict.exact
    if claimed not in (1.0, 100.0):
        return verdict(target, total)
    whole = [cell.percent or ("." in cell.text and len(cell.text.partition(".")[2]) >= 2) for cell in row]
    units = [Printed.read(cell.text).unit * factor for cell, counts in zip(row, whole, strict=True) if counts]
    reach = WIDEST * math.sqrt(sum(unit**2 for unit in units) / 12)
    return Verdict.rounded if abs(total - claimed) <= reach + 1e-9 else Verdict.wrong


def _check_above(line: Line, target: str, percent: bool, tables: list[Table], notebook: Notebook) -> None:
    """Judge the table above a sentence such as "each row sums to 1"."""
    above = [table for table in tables if 0 < line.number - table.last_line <= NEAR]
    if not above:
        return
    table = above[-1]
    rows = [[number_in(cell, number) for cell in cells[1:]] for number, cells in table.rows]
    if ABOVE.search(line.text) and len(table.header) > 2 and all(all(row) for row in rows):
        kept = [[cell for cell in row if cell is not None] for row in rows]
        if not all(0 <= cell.value <= (100 if cell.percent else float(target)) for row in kept for cell in row):
            return  # a year among them, or scores: rows of something else
        for (number, cells), row in zip(table.rows, kept, strict=True):
            _judge(row, target, percent, number, notebook, what=f"row {cells[0]} sums to {target}")


def _check_totals(table: Table, notebook: Notebook) -> None:
    """Judge the total of a column, where a table says that it is 1 or 100 %."""
    *body, (line, last) = table.rows
    if len(body) < 2 or not re.match(r"\W*(?:total|sum|Σ|∑)\b", last[0], re.IGNORECASE):
        return
    for at in range(1, len(last)):
        total = number_in(last[at], line)
        cells = [number_in(cells[at], number) for number, cells in body]
        in_percent = "%" in table.header[at]
        kept = [replace(cell, percent=cell.percent or in_percent) for cell in cells if cell is not None]
        if total is None or len(kept) != len(body) or total.value not in (1.0, 100.0):
            continue
        if total.value == 100.0 and not total.percent and not in_percent:
            continue
        whole = total.percent or (in_percent and total.value == 100.0)
        _judge(kept, total.text, whole, line, notebook, what=f"total of {table.header[at]}")
