"""The rules for numbers of a table that follow from others: columns made of columns, rows that sum up those above."""

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from regard.audit import data
from regard.audit.context import Page
from regard.audit.evaluate import OVER_A_ROW, USUAL, Array, Reading, number_of, readings, value_of
from regard.audit.finding import occurrences
from regard.audit.grammar import parse
from regard.audit.judge import is_misread
from regard.audit.lists import check_weights
from regard.audit.nodes import Call, Name, Node, Number, Unreadable, Vector, filled, is_computation, numbers_in
from regard.audit.notation import name_of, plain, replaced
from regard.audit.tables import Table, label_of_row
from regard.audit.verdict import NOISE, Printed, Verdict, is_mixed, slipped

MOST_ROWS, MOST_COLUMNS, MOST_TABLES, MOST_SOURCES = 100, 12, 20, 6  # more are data
COPIES, LAWS = ("a", "round(a)"), ("k * sqrt(a)", "k * a * a", "a + k * b")
SAID, TOLD, FOUND = range(3)  # that a column is made so: by a formula, in words, by nobody
ENOUGH, CERTAIN = (0.0, 2.3, 5.0), 9.0  # digits that must agree, and where the number that does not is no slip
TYPED, REACH = 2.7, 12  # digits that tell that sources are not rounded; lines around a table with its formulas
_parsed = lru_cache(maxsize=500)(parse)


class Column:
    """Cells one below the other, what is said to be in them, their values, and the steps of their last digits."""

    def __init__(self, label: str, cells: Sequence[Node | None], reading: Reading = USUAL) -> None:
        self.label, self.cells = label, cells
        self.numbers = [cell if isinstance(cell, Number) else None for cell in cells]
        self.values = np.array([math.nan if cell is None else number_of(cell, reading) for cell in cells])
        self.steps = np.array([number.step if number else 0.0 for number in self.numbers])
        typed = [isinstance(cell, Call) and not any(isinstance(one, Vector) for one in cell.parts) for cell in cells]
        rounded = [[] if as_it_is else numbers_in(cell) for cell, as_it_is in zip(cells, typed)]  # not in 3 × 0.45
        self.halves = np.array([sum(number.step / 2 for number in row if number.decimals) for row in rounded])


class Way(NamedTuple):
    """One way to make a column: a formula of others, with a factor k maybe."""

    formula: str
    sources: Mapping[str, Column]
    sure: int = FOUND
    fitted: float | None = None  # k as the rows themselves give it, which takes a row of evidence
    reading: Reading = USUAL

    def values(self, moved: str = "") -> Array:
        """What it makes of every row; with `moved`, where that column is off by as much as rounding allows."""
        cells, named = np.zeros(0), {"k": np.asarray(self.fitted)}
        for name, column in self.sources.items():
            cells = column.values + column.halves * (name == moved)
            named[name] = cells
            if f"_{name}" in self.formula:
                named |= {f"all_{name}": column.values[~np.isnan(cells)], f"first_{name}": cells[:1].squeeze()}
                named |= {f"sofar_{name}": np.nancumsum(cells), f"before_{name}": np.append(math.nan, cells[:-1])}
        with suppress(ArithmeticError, ValueError, TypeError, Unreadable):
            return np.broadcast_to(value_of(_parsed(self.formula), self.reading._replace(values=named)), len(cells))
        return np.full(len(cells), math.nan)

    def node(self, row: int) -> Node:
        """The formula with the numbers of one row, to be opened."""
        cells = {name: column.cells[row] or Name("?") for name, column in self.sources.items()}
        cells |= {f"before_{name}": column.cells[row - 1] or Name("?") for name, column in self.sources.items()}
        whole = {f"all_{name}": Vector(tuple(filter(None, column.cells))) for name, column in self.sources.items()}
        factor = {"k": Number(f"{self.fitted or 0:.12g}", -1)}
        return filled(_parsed(self.formula), {**factor, **cells, **whole})


class Trial:
    """How well a way explains a column, row by row."""

    def __init__(self, target: Column, way: Way, values: Array) -> None:
        self.way, self.values, claims = way, values, target.values
        off, exact = np.abs(values - claims), target.steps * 0.5 + 1e-9 * np.abs(claims) + 1e-300
        moved = (np.nan_to_num(np.abs(way.values(name) - values)) for name in way.sources)
        # a factor that was chosen is only as sure as the rows it comes from
        reach = (exact + sum(moved)) * (2 if way.fitted and (target.steps < 1).any() else 1)
        self.known, as_typed, self.right = np.isfinite(off), off <= exact, off <= reach
        shown = np.log10((reach / exact)[as_typed & (reach > 8 * exact)]).sum()
        if not way.fitted and shown > TYPED and (self.known & ~as_typed).sum() <= max(1, self.known.sum() // 5):
            self.right = as_typed  # what the others show to be typed as it stands is no rounded 0.45
        self.wrong = np.flatnonzero(self.known & ~self.right)
        rows = np.unique([claims, *(one.values for one in way.sources.values())], axis=1, return_index=True)[1]
        told = self.right & (claims != 0) & np.isin(np.arange(len(claims)), rows)  # what is said twice is one evidence
        copied = [np.abs(claims - one.values) <= reach for one in way.sources.values() if way.formula not in COPIES]
        zero = [] if "k" in way.formula and told.any() else [0.0]  # a factor is what all rows share
        rough = [Printed.read(n.text, about=True).unit / 2 if n and n.step >= 1 else 0.0 for n in target.numbers]
        steps = 2 * np.maximum(np.where(as_typed, exact, reach), rough)  # 5,000,000 has one digit
        digits = np.log10(np.clip(np.ptp([*claims[self.right], *zero]) / steps, 1, 1e4))
        digits = np.where(told & ~np.any([~told, *copied], axis=0), digits, 0.0)
        self.rows = int(told.sum())
        self.digits = float(np.sort(digits)[: len(digits) - bool(way.fitted)].sum())


def check_columns(page: Page) -> None:
    """Judge the columns of every table that come from others, and the rows of one that lies on its side."""
    tables = [table for table in page.tables[:MOST_TABLES] if len(table.rows) <= MOST_ROWS]
    for table in tables:
        check_weights(page, table)
        near = {*range(table.lines[0] - REACH, table.lines[-1] + REACH)} - {*table.lines}
        told = [one for number in near for one in data.TOLD_FORMULA.findall(plain(page.texts.get(number, "")))]
        labelled = table.titled and not all(isinstance(row[0].node, Number) for row in table.body)
        labelled = labelled and not data.IS_TOTAL.match(table.header[-1])  # what sums up both ways may be wrong inside
        for view in (table, table._replace(rows=tuple(table.body)).turned()) if labelled else (table,):
            wrong = {finding.line for finding in page.findings if finding.verdict.fails}
            judged = {(finding.line, finding.claimed) for finding in page.findings}
            fresh = len(view.header) <= MOST_COLUMNS and (view is table or wrong.isdisjoint(table.lines))
            columns = [Column(name.strip(), view.column(at)) for at, name in enumerate(view.header) if fresh]
            for at, target in enumerate(columns):
                numbers = [n for n in target.numbers if n and not data.YEAR.fullmatch(n.text)]
                unjudged = [n for n in numbers if (n.line, n.text + "%" * n.percent) not in judged]
                ways = itertools.chain(_worked(view, at), _said(at, columns, told), _ways(at, columns))
                ways = (way for way in ways if view is table or not way.fitted or len(way.sources) < 2)
                if len(unjudged) * 2 >= len(numbers) > 1 and (found := _explained(target, ways)):
                    _write(page, view, target, found)


def _worked(table: Table, at: int) -> Iterator[Way]:
    """What the cells beside a column come to: `4 × (256 + 1)`, or a list under a "mean"."""
    function = name_of(table.header[at].strip().lower())
    for other in range(len(table.header)):
        nodes: list[Node | None] = [None] * len(table.body)
        for row, cell in enumerate(cells[other] for cells in table.body):
            text = data.WORDS_OF_ITEM.sub("", plain(cell.text)) if abs(other - at) == 1 else ""
            if function in OVER_A_ROW and isinstance(cell.source, Vector):
                nodes[row] = Call(function, (cell.source,))
            elif data.WORKED.fullmatch(text):
                with suppress(Unreadable):
                    nodes[row] = node if is_computation(node := parse(text)) else None
        first = next(filter(None, nodes), None)
        for reading in readings(first) if first else ():
            yield Way("a", {"a": Column("", nodes, reading)}, SAID)


def _said(at: int, columns: Sequence[Column], told: Sequence[str]) -> Iterator[Way]:
    """What a header says in signs: `a·b`, or `/√64` of the column before it; or a text near it: `new = old − 0.1 g`."""
    scaled = data.SCALED_BY.match(columns[at].label)
    label = data.CONVENTIONS.get(columns[at].label, columns[at].label)
    label = re.sub(r"\b(?:that|this|it)\b", f"column_{at - 1}", label) if at else label
    label = f"column_{at - 1} {scaled[1] or '/'} ({scaled[2]})" if scaled else label
    named = {f"column_{other}": column for other, column in enumerate(columns) if other != at}
    names = {name: plain(column.label.partition(" (")[0]).strip() for name, column in named.items()}
    is_telling = any(n and (not n.decimals or data.TELLING.search(n.text)) for n in columns[at].numbers)
    for text, sure in [(plain(label), SAID), *((text, TOLD) for text in told if is_telling)]:
        for name, header in sorted(names.items(), key=lambda pair: -len(pair[1])):
            if re.match(r"\D", header):
                text = re.sub(rf"(?<![^\W\d]){re.escape(header).replace(chr(92) + ' ', '[ _]')}(?!\w)", name, text)
        formula = replaced(text, "columns")
        sources = {name: named[name] for name in re.findall(r"column_\d+", formula) if name in named}
        usable = sources and not re.search(r",\D", formula)
        with suppress(Unreadable):
            for reading in readings(node) if usable and is_computation(node := _parsed(formula)) else ():
                if not reading.choices.get("×"):  # rows are multiplied one by one
                    yield Way(formula, sources, sure, reading=reading)


def _ways(at: int, columns: Sequence[Column]) -> Iterator[Way]:
    """Every way in which a column may be made of those before it: of all of them, or by a formula of few."""
    target, others = columns[at], [column for column in columns[:at] if np.isfinite(column.values).sum() > 1]
    for some in (others, others[1:]) if len(others) > 2 else ():
        whole = {f"column_{at}": column for at, column in enumerate(some)}
        sums, means = (TOLD if words.search(target.label) else FOUND for words in (data.IS_LINE_TOTAL, data.AVERAGES))
        yield from (Way(" + ".join(whole), whole, sums), Way(f"({' + '.join(whole)}) / {len(whole)}", whole, means))
    for formula, words in data.WAYS.items():
        names = sorted({name[-1] for name in re.findall(r"\b(?:\w+_)?[abc]\b", formula)})
        sure = TOLD if words and re.search(words, target.label, re.I) else FOUND
        some = others[-MOST_SOURCES:] if sure == TOLD or formula not in COPIES else []  # numbers of lines, side by side
        for chosen in itertools.permutations(some, len(names)):
            way = Way(formula, dict(zip(names, chosen, strict=True)), sure)
            yield from _fitted(way, target) if "k" in formula else (way,)


def _fitted(way: Way, target: Column) -> Iterator[Way]:
    """A way with the factor by which most rows come out right."""
    added, claims, halves = way._replace(fitted=0.0).values(), target.values, target.steps * 0.5001
    times = way._replace(fitted=1.0).values() - added
    ends = [(claims + by - added) / times for by in (-halves, halves)]
    low, high = np.minimum(*ends), np.maximum(*ends)
    inside = (low[:, None] <= low[:5]) & (low[:5] <= high[:, None])
    best = inside[:, inside.sum(0).argmax()]
    if best.sum() > 1:
        yield way._replace(fitted=float(low[best].max() + high[best].min()) / 2)


def _explained(target: Column, tried: Iterator[Way]) -> Trial | None:
    """The way that explains a column, wholly or all but a slip; nothing where none is sure."""
    best: Trial | None = None
    for way in tried:
        values = way.values()
        near = np.abs(values - target.values) <= np.maximum(3 * target.steps, 0.05 * np.abs(target.values))
        if near.sum() > (way.sure != SAID):
            found = Trial(target, way, values)
            better = best is None or (-way.sure, found.digits) > (-best.way.sure, best.digits)
            if better and not len(found.wrong) and found.rows > 1 and found.digits >= ENOUGH[way.sure]:
                return found
            best = found if better and len(found.wrong) and _is_sure(target, found) else best
    return best


def _is_sure(target: Column, found: Trial) -> bool:
    """Whether the rows that agree are enough to call the others wrong."""
    way, formula, count = found.way, found.way.formula, int(found.known.sum())
    if way.sure == SAID:
        return len(found.wrong) <= count // 2 and found.rows > 0
    signed = "k" in formula or (found.values[found.right] < 0).any()  # or it is how far, not where to
    wrong = [(n, found.values[at] * (100 if n.percent else 1)) for at in found.wrong if (n := target.numbers[at])]
    # a factor may well be another one in some row, and a part of a sum may be wrong as well
    summed = "+" in formula and not {*"*/"} & {*formula}
    certain = data.IS_RECKONED.search(target.label) or (way.sure == TOLD and found.digits >= CERTAIN)
    loose = summed or ("k" in formula and not certain)
    slips = all(slipped(n.text, v, strictly=summed) or abs(v + n.printed.value) <= n.printed.unit for n, v in wrong)
    short = any(len(n.text.lstrip("-−0").lstrip(".")) < 3 for n, _ in wrong)  # two digits
    enough = ENOUGH[way.sure] if slips or way.fitted or way.sure == TOLD else CERTAIN
    enough += 2 * bool(way.fitted and short) + 4 * (way.sure == FOUND and formula in LAWS)  # measured: nearly so
    few = len(wrong) <= max(1, count // 5) and all(v * n.value > 0 or (v and signed) for n, v in wrong)
    proven = found.rows >= 2 + bool(way.fitted) and found.digits >= enough + (found.rows < 3)
    return few and proven and (slips or not loose)


def _write(page: Page, table: Table, target: Column, found: Trial) -> None:
    """Write down what a way makes of a column; a row that is marked, or sums up others, may be made in another way."""
    labels = [label_of_row(row) for row in table.body]
    others = [sum(len(other) > 1 and other in label for other in {*labels} - {label}) for label in labels]  # B % of A
    remarks = [found.way.sure == FOUND and data.REMARK.search(label) for label in labels]  # fc3 (no bias)
    for at, number in enumerate(target.numbers):
        if number and found.known[at]:
            typed = not number.decimals or not any(column.halves[at] for column in found.way.sources.values())
            leeway = number.step * ((1.1 if found.way.fitted else 0.6) if typed else 5 if found.way.fitted else 2)
            value, given = float(found.values[at]), Verdict.rounded if found.right[at] else Verdict.wrong
            summed = abs(np.nansum(target.values[:at]) - number.value) <= number.step / 2 and found.way.sure == SAID
            less = found.way.sure != SAID and data.DISCOUNT.search(page.near(table.lines[-1], 0, 3))
            less = less and not slipped(number.text, value)
            marked = others[at] > 1 or remarks[at] or any(data.EXCUSED.search(cell.text) for cell in table.body[at])
            parts = filter(None, (column.numbers[at] for column in found.way.sources.values()))
            misread = is_misread(found.way.node(at), parts, number, found.way.reading)
            excused = less or summed or marked or not value or misread
            if given.fails and (excused or abs(value - number.value) <= leeway):
                page.leave(number.line, "a row that may be made in another way")
            else:
                page.number(target.label or "column", number, value, given, table.nth(number), found.way.node(at))


def check_totals(page: Page) -> None:
    """Judge every row that sums up others, column by column, but for rows that overlap or sum up both ways."""
    for table in (table for table in page.tables if max(len(table.rows), len(table.header)) <= MOST_ROWS):
        wrong = {finding.line for finding in page.findings if finding.verdict.fails}
        around = "\n".join([page.near(table.lines[0] - 1, 2), *map(label_of_row, table.rows)])
        crossed = data.IS_TOTAL.match(table.header[-1]) and data.IS_TOTAL.match(label_of_row(table.rows[-1]))
        if crossed and all(cell.node for cell in table.rows[-1][1:]):
            _check_crossed(page, table)
        elif wrong.isdisjoint(table.lines) and not data.NOT_ALL.search(around):
            fits = set[tuple[int, int]]()
            for at in [*range(1, len(table.header))] * 2:  # a row that sums up other columns sums up this one too
                _check_column(page, table, at, fits)


def _check_crossed(page: Page, table: Table) -> None:
    """Judge a table that sums up both ways: a number that its row and its column miss by the same is wrong."""
    cells = [[cell.node for cell in row[1:] if isinstance(cell.node, Number)] for row in table.rows]
    if {*map(len, cells)} != {len(table.header) - 1}:
        return
    values, reach = np.array([[number.value for number in row] for row in cells]), cells[0][0].step * len(cells)
    missed = (values[:, :-1].sum(1) - values[:, -1], values[:-1].sum(0) - values[-1])
    rows, columns = (np.flatnonzero(np.abs(one) > (reach if cells[0][0].decimals else NOISE)) for one in missed)
    for row, column in zip(rows, columns) if len(rows) == len(columns) == 1 else ():
        (*parts, total), is_sum = cells[row], column == len(cells[row]) - 1
        over, across = missed[0][row] * (1 - 2 * is_sum), missed[1][column] * (1 - 2 * (row == len(cells) - 1))
        others = Call("sum", (Vector(tuple(part for at, part in enumerate(parts) if at != column)),))
        if abs(over - across) <= reach:
            number, node = cells[row][column], others if is_sum else Call("-", (total, others))
            page.number("total", number, number.value - float(over), Verdict.wrong, table.nth(number), node)


def _check_column(page: Page, table: Table, at: int, right_cells: set[tuple[int, int]]) -> None:
    """Judge the totals of one column. What is called a total and sums up nothing is an item: Gross, at the top."""
    known = {(finding.line, finding.claimed.rstrip("%")) for finding in page.findings}
    telling = (f.claimed for f in page.findings if not f.verdict.fails and data.TELLING.search(f.claimed))
    right = {re.sub(r"\.0*$|,", "", claimed) for claimed in telling}
    rests = any(data.IS_REST.match(label_of_row(row)) for row in table.rows)
    items, last, since = list[Number](), list[Number](), 0  # the last total, and of how many
    for after, row in enumerate(table.rows, 1):
        label, number = label_of_row(row), row[at].node
        below = [node.value for row in table.rows[after:] if isinstance(node := row[at].node, Number)]
        statistic = data.IS_STATISTIC_ROW.match(label)
        summing = data.SUMMING_ROW.match(label) or data.IS_BOLD.fullmatch(label)
        summing = summing or (data.IS_REST.match(label) and any(item.value < 0 for item in items))
        if summing and not statistic and data.NO_SUM.search(table.header[at]):
            break
        if not isinstance(number, Number):
            if summing or not any(cell.node for cell in row):
                items = items if summing else []  # what is below another heading
                continue
            break  # a part of what comes below is not known
        if not summing:
            items.append(number)
            rate = data.A_RATE.search(label) if last else None
            if rate and abs(float(rate[1]) / 100 * last[0].value - abs(number.value)) > number.step:
                break  # one of them is wrong, or it is a rate of something else
            continue
        if rests and not statistic:  # what is left is made of the total, not the total of it
            break
        fewer = [items[since:], [*last, *items[since:]], *(items[first:] for first in range(1, len(items)))]
        fewer = [parts for at, parts in enumerate(fewer) if len(parts) > 1 and parts not in (items, *fewer[:at])]
        some = [items, *fewer] if not statistic else [items]
        goes_on = any(abs(number.value + sum(below[:n]) - below[n]) <= number.step for n in range(1, len(below)))
        name, told = name_of(statistic[1]) if statistic else "sum", data.SAYS_TOTAL.match(label) is not None
        goes_on |= re.sub(r"\.0*$|,", "", number.text) in right  # so does what comes to the same elsewhere
        goes_on |= any(occurrences(text, number.text) for at, text in page.texts.items() if at not in table.lines)
        shown = sum(line == after and column != at for line, column in right_cells) > 1 and not number.percent
        sure = None if goes_on else shown or (told and {(n.line, n.text) for n in items} <= known)
        enough = len(items) > 1 + bool(statistic)
        fits = enough and ((number.line, number.text) in known or _judge(page, table, number, name, some, sure))
        right_cells |= {(after, at)} if fits else set()
        if not statistic:
            since, last = (len(items), [number]) if fits else (since, last)
            items += [] if fits else [number]


def _judge(page: Page, table: Table, claim: Number, name: str, some: list[list[Number]], sure: bool | None) -> bool:
    """Judge a total by the numbers of which it may be one; tells if it is right. No `sure`: it cannot be wrong."""
    said, by, steps = abs(claim.value), 100 if claim.percent else 1, claim.step * (1.0 if claim.decimals else 0.5001)
    nodes = [Call(name, (Vector(tuple(parts)),)) for parts in some]
    values = [abs(number_of(node)) for node in nodes]
    count = 1 if name == "sum" else len(some[0])
    reach = [steps + sum(part.step for part in parts if part.decimals) / 2 / count for parts in some]
    fits = [at for at, value in enumerate(values) if abs(value - said) <= reach[at]]
    slips = [at for at, value in enumerate(values) if slipped(claim.text.lstrip("-+"), value * by)]
    mixed = [at for at in slips if is_mixed(claim.text, values[at] * by)]
    slips += [0] * any(abs(values[0] - abs(part.value) - said) <= claim.step / 2 for part in some[0][1:])  # left out
    plain_parts = [(total, parts) for total, parts in zip(values, some) if all(part.value > 0 for part in parts)]
    taken = ([*(total - 2 * n.value for n in parts), 2 * parts[0].value - total] for total, parts in plain_parts)
    turned = any(abs(abs(value) - said) <= claim.step / 2 for row in taken for value in row)  # a refund among them
    if sure is None or turned or (not mixed and is_misread(nodes[0], some[0], claim, USUAL)):  # or a part is wrong
        mixed, slips, sure = [], [], False
    near = [at for at in [*mixed, *slips] or [0] * sure if 0 < said < 2 * values[at] < 4 * said]
    for at in (fits or near)[:1]:
        value, given = math.copysign(values[at], claim.value), Verdict.rounded if fits else Verdict.wrong
        page.number("total", claim, value, given, table.nth(claim), nodes[at])
    return bool(fits)
