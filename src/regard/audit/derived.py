"""The rule for derived columns: a header that is a formula of its neighbours (`a·b`, `e^x`, `/√64`) holds row by row.

A header is a claim about every row, but it may also be a name that only looks like a formula. So a column is judged
only where at least half its rows fit.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from regard.audit.evaluate import evaluate, readings
from regard.audit.expression import Unreadable, parse
from regard.audit.finding import Notebook, show_beside
from regard.audit.headers import IS_EXPONENTIAL, meaning
from regard.audit.judge import is_computation, names_in
from regard.audit.notation import plain
from regard.audit.tables import Cell, Table
from regard.audit.tokens import tokens_of
from regard.audit.tree import Node
from regard.audit.verdict import Printed, Verdict, row_verdicts

MOST_ROWS = 500
LONGEST_HEADER = 60
SCALED_BY = re.compile(
    r"^(?:scaled|divided|÷|after scaling|scaling)\s*(?:by\b|\(?\s*[/÷])\s*\(?\s*([^()]+|.*\))\)?$", re.I
)
LEADING = re.compile(r"^\(?\s*([/÷×*·])\s*([^()]+|.*\))\)?$")
IS_PRICE = re.compile(r"\b(?:price|unit cost|cost per|rate|preis|prix|precio)\b", re.I)
IS_QUANTITY = re.compile(r"\b(?:quantity|qty|count|units|hours|menge|anzahl|quantité|cantidad)\b", re.I)
IS_TOTAL = re.compile(r"^\W*(?:line |sub)?(?:total|amount|summe|gesamt|betrag)\b", re.I)
IS_LAST_ROW = re.compile(r"^\W*(?:total|sum|Σ|∑|all|summe)\b", re.I)
Row = tuple[float, ...]
Formula = Callable[[Row], float]


@dataclass(frozen=True)
class Derivation:
    """A column, those it comes from, and how; `spare` is how many of its rows may fail before it is no formula."""

    target: int
    sources: tuple[int, ...]
    formulas: tuple[Formula, ...]  # readings: the one that suits the column best counts
    spare: Callable[[int], int] = lambda rows: rows // 2


def check_derived(tables: list[Table], notebook: Notebook) -> None:
    """Judge every column whose header says how it comes from others."""
    for table in tables:
        if len(table.rows) > MOST_ROWS or len(table.header) > 20 or (not table.separated and len(table.header) > 8):
            continue
        for target in range(1, len(table.header)):
            for derivation in derivations(table, target):
                if _check(table, derivation, notebook):
                    break


def derivations(table: Table, target: int) -> Iterator[Derivation]:
    """The ways a column may come from the others, by its header."""
    header = table.header[target]
    if not header or len(header) > LONGEST_HEADER:
        return
    numeric = [at for at in range(len(table.header)) if at != target and _is_numeric(table, at)]
    left = [at for at in numeric if at < target]
    scaled = SCALED_BY.match(header.strip()) or LEADING.match(header.strip())
    if scaled and left:
        sign = "/" if scaled.re is SCALED_BY else scaled[1]
        yield from _parsed(f"column_{left[-1]} {sign} ({scaled[scaled.lastindex or 1]})", target)
        return
    if IS_EXPONENTIAL.fullmatch(header.strip()) or meaning(header) == "exponential":
        scores = [at for at in left if meaning(table.header[at]) == "score"]
        for at in [*reversed(scores), *(at for at in reversed(left) if at not in scores)]:
            peak = max(cell.value for cell in table.column(at) if cell)
            yield Derivation(target, (at,), (_exponential(0.0), _exponential(peak)))
        return
    if IS_TOTAL.match(header):
        prices = [at for at in numeric if IS_PRICE.search(table.header[at])]
        counts = [at for at in numeric if IS_QUANTITY.search(table.header[at])]
        if len(prices) == len(counts) == 1 and prices != counts:
            yield Derivation(target, (prices[0], counts[0]), (math.prod,), lambda rows: 1 if rows >= 4 else 0)
        return
    yield from _parsed(_with_columns(plain(header), table.header, numeric), target)


def is_formula(header: str) -> bool:
    """Whether a header says by what the column before it was divided or multiplied.

    >>> is_formula("/√64"), is_formula("scaled by 8"), is_formula("After Scaling")
    (True, True, False)
    """
    return bool(SCALED_BY.match(header.strip()) or LEADING.match(header.strip()))


def _exponential(peak: float) -> Formula:
    return lambda row: math.exp(min(row[0] - peak, 700.0))


def _with_columns(header: str, names: Sequence[str], numeric: list[int]) -> str:
    """A header with the names of other columns replaced by placeholders."""
    text = header
    for at in sorted(numeric, key=lambda at: -len(names[at])):
        name = plain(names[at]).strip()
        if name and not name[0].isdigit():
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", f"column_{at}", text)
    return text


def _parsed(text: str, target: int) -> Iterator[Derivation]:
    """The derivation a formula over placeholders means; nothing where it is no formula."""
    try:
        node = parse(tokens_of(plain(text), 0))
    except Unreadable:
        return
    sources = sorted({int(name[7:]) for name in names_in(node) if re.fullmatch(r"column_\d+", name)})
    if not sources or not is_computation(node) or target in sources:
        return
    yield Derivation(target, tuple(sources), tuple(_formulas(node, sources)))


def _formulas(node: Node, sources: list[int]) -> Iterator[Formula]:
    for reading in readings(node)[:6]:

        def formula(row: Row, reading: object = reading) -> float:
            values = {f"column_{at}": np.asarray(value) for at, value in zip(sources, row, strict=True)}
            return float(evaluate(node, values, reading))  # pyright: ignore[reportArgumentType]

        yield formula


def _is_numeric(table: Table, at: int) -> bool:
    """Whether most cells of a column are plain finite numbers."""
    cells = [cell for cell in table.column(at) if cell is not None and math.isfinite(cell.value) and not cell.percent]
    return len(cells) * 2 > len(table.rows)


def _check(table: Table, derivation: Derivation, notebook: Notebook) -> bool:
    """Judge one column; tells whether its formula holds for enough rows to be meant."""
    columns = [table.column(at) for at in derivation.sources]
    claimed = table.column(derivation.target)
    rows: list[tuple[Cell, list[Cell]]] = []
    for at, cell in enumerate(claimed):
        sources = [column[at] for column in columns]
        kept = [source for source in sources if source is not None and math.isfinite(source.value)]
        total = IS_LAST_ROW.match(table.rows[at][1][0])
        if cell is not None and math.isfinite(cell.value) and len(kept) == len(sources) and not total:
            rows.append((cell, kept))
    if len(rows) < 2:
        return False
    best: tuple[list[float], list[Verdict]] | None = None
    for formula in derivation.formulas:
        judged = _judge(rows, formula)
        if judged and (best is None or _failures(judged[1]) < _failures(best[1])):
            best = judged
    if best is None or _failures(best[1]) > derivation.spare(len(rows)) or not _is_meant(best[1]):
        return False
    what = f"{table.header[derivation.target]} of {', '.join(table.header[at] for at in derivation.sources)}"
    for (cell, _), value, verdict in zip(rows, *best, strict=True):
        mark = "%" if cell.percent else ""
        notebook.claim(cell.line, what, cell.text + mark, show_beside(value, cell.text) + mark, verdict)
    return True


def _is_meant(verdicts: list[Verdict]) -> bool:
    """Whether a formula with failures holds for some row to the digit, not only by cutting."""
    return not _failures(verdicts) or any(verdict in (Verdict.exact, Verdict.rounded) for verdict in verdicts)


def _failures(verdicts: list[Verdict]) -> int:
    return sum(verdict.fails for verdict in verdicts)


def _judge(rows: list[tuple[Cell, list[Cell]]], formula: Formula) -> tuple[list[float], list[Verdict]] | None:
    """The values and verdicts of a column; what it comes from may be printed rounded."""
    values: list[float] = []
    spread: list[tuple[float, float]] = []
    rounded = _rounded([sources for _, sources in rows])
    for cell, sources in rows:
        factor = 100.0 if cell.percent else 1.0
        try:
            middle = formula(tuple(source.value for source in sources)) * factor
            ends = [formula(tuple(moved)) * factor for moved in _moved(sources, rounded)]
        except (Unreadable, ArithmeticError, ValueError):
            return None
        values.append(middle)
        low = middle + sum(min(end - middle, 0.0) for end in ends)
        spread.append((low, middle + sum(max(end - middle, 0.0) for end in ends)))
    return values, row_verdicts([cell.text for cell, _ in rows], values, spread=spread)


def _rounded(rows: list[list[Cell]]) -> set[int]:
    """The sources that may be printed rounded: all with as many decimals, and two or more; 0.5 above 0.25 is typed."""
    places = [{len(source.text.partition(".")[2]) for source in column} for column in zip(*rows, strict=True)]
    return {at for at, found in enumerate(places) if len(found) == 1 and min(found) >= 2}


def _moved(sources: list[Cell], rounded: set[int]) -> Iterator[list[float]]:
    """The sources with one of them moved by half its last digit."""
    for at, source in enumerate(sources):
        if at in rounded:
            for sign in (-0.5, 0.5):
                step = sign * Printed.read(source.text).unit
                yield [other.value + (step if at == index else 0.0) for index, other in enumerate(sources)]


def fits_exponential(table: Table, exponential: int, score: int) -> bool:
    """Whether a column is, for at least half its rows, the exponential of another."""
    pairs = [(e, [s]) for e, s in zip(table.column(exponential), table.column(score), strict=True) if e and s]
    finite = [(e, s) for e, s in pairs if math.isfinite(e.value) and math.isfinite(s[0].value)]
    judged = _judge(finite, _exponential(0.0)) if finite else None
    return judged is not None and _failures(judged[1]) * 2 <= len(finite)
