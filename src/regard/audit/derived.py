"""The rules for numbers of a table that follow from others: columns made of columns, and rows that sum up those above.

The ways to make a column stand in `data.toml`. Each row that comes out right is evidence: as many digits as chance
would have missed. A way that explains all rows clears the column; one that explains all but a few, with more digits
than luck would give, shows which number slipped. Where a header says how the column is made, little is enough.
"""

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
from regard.audit.evaluate import (
    CONSTANTS,
    FAMILY,
    FUNCTIONS,
    ITEMWISE,
    OVER_A_ROW,
    PLAIN,
    USUAL,
    Array,
    Reading,
    evaluate,
    readings,
)
from regard.audit.grammar import parse
from regard.audit.lists import check_weights
from regard.audit.nodes import Call, Name, Node, Number, Unreadable, Vector, filled, is_computation
from regard.audit.notation import name_of, plain
from regard.audit.tables import Table, label_of_row
from regard.audit.verdict import Printed, Verdict, slipped

MOST_ROWS, MOST_COLUMNS, MOST_TABLES, MOST_SOURCES = 100, 12, 20, 6  # more are data
SAID, TOLD, FOUND = range(3)  # that a column is made so: by a formula, in words, by nobody
ENOUGH, CERTAIN = (0.0, 2.3, 5.0), 9.0  # digits that must agree, and where the number that does not is no slip
TYPED = 2.7  # digits that tell that sources are meant as they stand, and not rounded
APPLIED = re.compile(rf"(?<!\w)({'|'.join(ITEMWISE)}) ?(column_\d+)(?!\w)")  # −ln p, cos p
_parsed = lru_cache(maxsize=500)(parse)


class Column:
    """Cells one below the other, what is said to be in them, their values, and the steps of their last digits."""

    def __init__(self, label: str, cells: Sequence[Node | None], reading: Reading = USUAL) -> None:
        self.label, self.cells = label, cells
        self.numbers = [cell if isinstance(cell, Number) else None for cell in cells]
        self.values = np.array([math.nan if cell is None else _number(cell, reading) for cell in cells])
        self.steps = np.array([number.step if number else 0.0 for number in self.numbers])
        rough = [Printed.read(number.text, True).unit if number else 0.0 for number in self.numbers]
        self.rough = np.where(self.steps < 1, 0.0, rough) / 2  # 5,000,000 has one digit
        self.halves = np.array([number.step / 2 if number and number.decimals else 0.0 for number in self.numbers])


def _number(node: Node, reading: Reading = USUAL) -> float:
    with suppress(Unreadable, TypeError):
        return float(evaluate(node, {}, reading))
    return math.nan  # 1e999


class Way(NamedTuple):
    """One way to make a column: a formula of others, with a factor k maybe."""

    formula: str
    sources: Mapping[str, Column]
    sure: int = FOUND
    factor: float = 0.0
    fitted: bool = False  # to the rows themselves
    reading: Reading = Reading()

    def values(self, moved: str = "") -> Array:
        """What it makes of every row; with `moved`, where that column is off by as much as rounding allows."""
        named: dict[str, Array | float] = {"k": self.factor, **CONSTANTS}
        cells = np.zeros(0)
        for name, column in self.sources.items():
            cells = column.values + column.halves * (name == moved)
            named |= {name: cells, f"all_{name}": cells[~np.isnan(cells)], f"first_{name}": cells[0]}
            named |= {f"sofar_{name}": np.nancumsum(cells), f"before_{name}": np.append(math.nan, cells[:-1])}
        with suppress(ValueError, TypeError, LookupError, Unreadable):
            return np.broadcast_to(_value(_parsed(self.formula), named, self.reading), len(cells))
        return np.full(len(cells), math.nan)

    def node(self, row: int) -> Node:
        """The formula with the numbers of one row, to be opened."""
        cells = {name: column.cells[row] or Name("?") for name, column in self.sources.items()}
        whole = {f"all_{name}": Vector(tuple(filter(None, column.cells))) for name, column in self.sources.items()}
        return filled(_parsed(self.formula), {"k": Number(f"{self.factor:.12g}", -1), **cells, **whole})


def _value(node: Node, named: Mapping[str, Array | float], reading: Reading) -> Array | float:
    """The value of a formula for every row."""
    match node:
        case Name(text):
            return named[text]
        case Number():
            return node.value
        case Call("-" | "√" as sign, (operand,)):
            value = np.asarray(_value(operand, named, reading), float)
            return -value if sign == "-" else np.sqrt(value)
        case Call(sign, (left, right)):
            compute = np.power if sign in ("^", "**") else PLAIN[sign]
            return compute(np.asarray(_value(left, named, reading), float), _value(right, named, reading))
        case Call(function, (inner,)):
            meaning = FUNCTIONS[function][reading.choices.get(FAMILY.get(function, function), 0)]
            return meaning(np.asarray(_value(inner, named, reading)))
    raise Unreadable("no formula of columns")


class Trial:
    """How well a way explains a column, row by row."""

    def __init__(self, target: Column, way: Way, values: Array) -> None:
        self.way, self.values, claims = way, values, target.values
        off = np.abs(values - claims)
        exact = target.steps * 0.5 + 1e-9 * np.abs(claims) + 1e-300
        moved = (np.nan_to_num(np.abs(way.values(name) - values)) for name in way.sources)
        # a factor that was chosen is only as sure as the rows it comes from
        reach = (exact + sum(moved)) * (2 if way.fitted and (target.steps < 1).any() else 1)
        self.known, as_typed, self.right = np.isfinite(off), off <= exact, off <= reach
        shown = np.log10((reach / exact)[as_typed & (reach > 8 * exact)]).sum()
        if not way.fitted and shown > TYPED and (self.known & ~as_typed).sum() <= max(1, self.known.sum() // 5):
            self.right = as_typed  # what the others show to be typed as it stands is no rounded 0.45
        for at in np.flatnonzero(self.right & ~as_typed):  # 1.368 is no rounded 1.386
            self.right[at] = not ((number := target.numbers[at]) and _is_mixed(number, values[at]))
        self.wrong = np.flatnonzero(self.known & ~self.right)
        copied = [np.abs(claims - column.values) <= reach for column in way.sources.values() if way.formula != "a"]
        telling = self.right & (claims != 0) & ~np.any([claims == math.inf, *copied], axis=0)
        known = np.append(claims[self.right], [] if "k" in way.formula else [0.0])  # a factor is what all rows share
        width = np.ptp(known) if len(known) else 0.0
        digits = np.where(
            telling,
            np.log10(np.clip(width / np.maximum(np.where(as_typed, exact, reach), target.rough) / 2, 1, 1e4)),
            0.0,
        )
        self.rows = int((self.right & (claims != 0)).sum())
        self.digits = float(digits.sum() - (digits.max() if way.fitted else 0.0))


def check_columns(page: Page) -> None:
    """Judge the columns of every table that come from others, and the rows of one that lies on its side."""
    for table in (table for table in page.tables[:MOST_TABLES] if len(table.rows) <= MOST_ROWS):
        check_weights(page, table)
        labelled = table.titled and not all(isinstance(row[0].node, Number) for row in table.rows)
        labelled = labelled and not data.IS_TOTAL.match(table.header[-1])  # what sums up both ways may be wrong inside
        for one in (table, table.turned()) if labelled else (table,):
            wrong = {finding.line for finding in page.findings if finding.verdict.fails}
            if len(one.header) <= MOST_COLUMNS and (one is table or wrong.isdisjoint(table.lines)):
                _check_table(page, one)


def _check_table(page: Page, table: Table) -> None:
    judged = {(finding.line, finding.claimed) for finding in page.findings}
    columns = [Column(header.strip(), table.column(at)) for at, header in enumerate(table.header)]
    for at, target in enumerate(columns):
        numbers = [n for n in target.numbers if n and not data.YEAR.fullmatch(n.text)]
        if sum((n.line, n.text + "%" * n.percent) not in judged for n in numbers) * 2 >= len(numbers) > 1:
            tried = (_worked(page, table, at), _listed(table, at), _said(at, columns), _ways(at, columns))
            if found := _explained(target, itertools.chain(*tried)):
                _write(page, table, target, found)


def _worked(page: Page, table: Table, at: int) -> Iterator[Way]:
    """The arithmetic in the cells beside a column: `4 × (256 × 256 + 256)`, or `12d^2` where d = 1024 on the page."""
    letters = "".join(name for name in page.sizes if len(name) == 1) or "\0"
    for other in {at - 1, at + 1} & set(range(len(table.header))):
        nodes: list[Node | None] = [None] * len(table.body)
        for row, cells in enumerate(table.body):
            text = plain(cells[other].text)
            if data.ONLY_ARITHMETIC.fullmatch(text) or data.A_FORMULA.fullmatch(text):
                signed = re.sub(rf"(?<=[\d{letters})])\s?(?=[{letters}(])", " * ", text)  # 24 · 12d^2, Vd
                with suppress(Unreadable):
                    node = filled(parse(signed), page.sizes)
                    nodes[row] = node if is_computation(node) and not evaluate(node, {}).ndim else None
        if any(nodes):
            yield Way("a", {"a": Column("", nodes)}, SAID)


def _listed(table: Table, at: int) -> Iterator[Way]:
    """What a header names of the lists beside it: their mean, variance or norm."""
    function = name_of(table.header[at].strip().lower())
    for other in range(len(table.header)) if function in OVER_A_ROW else ():
        lists = [row[other].source for row in table.body]
        cells = [Call(function, (one,)) for one in lists if isinstance(one, Vector)]
        for reading in readings(cells[0]) if len(cells) == len(table.body) > 1 else ():
            yield Way("a", {"a": Column("", cells, reading)}, SAID)


def _said(at: int, columns: Sequence[Column]) -> Iterator[Way]:
    """What a header says in signs: `a·b`, or `/√64` of the column before it."""
    text = columns[at].label
    if found := data.SCALED_BY.match(text) or data.LEADING.match(text):
        sign = "/" if found.re is data.SCALED_BY else found[1]
        text = f"column_{at - 1} {sign} ({found[found.lastindex or 1]})"
    named = {f"column_{other}": column for other, column in enumerate(columns) if other != at}
    formula = _in_columns(plain(text), {name: plain(column.label).strip() for name, column in named.items()})
    sources = {name: named[name] for name in re.findall(r"column_\d+", formula) if name in named}
    with suppress(Unreadable):
        for reading in readings(node) if sources and is_computation(node := _parsed(formula)) else ():
            yield Way(formula, sources, SAID, reading=reading)


def _in_columns(text: str, names: Mapping[str, str]) -> str:
    """A text with every header replaced by the name of its column."""
    initials = [header[:1] for header in names.values()]  # cos(p) beside a column "pos"
    short = [(name, header[0]) for name, header in names.items() if header.isalpha() and initials.count(header[0]) == 1]
    for name, header in (*sorted(names.items(), key=lambda pair: -len(pair[1])), *short):
        if header and not header[0].isdigit():
            text = re.sub(rf"(?<!\w){re.escape(header).replace(chr(92) + ' ', '[ _]')}(?!\w)", name, text)
    text = re.sub(r"((?<![\w.])\d+(?:\.\d+)?|π|\)) ?(?=\(?column_)", r"\1 * ", text)  # cos(π p), 2 (w - 1)
    return re.sub(rf"(column_\d+) ?(?=(?:{'|'.join(ITEMWISE)})\()", r"\1 * ", APPLIED.sub(r"\1(\2)", text))  # -p ln p


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
        for some in itertools.permutations(others[-MOST_SOURCES:], len(names)):
            way = Way(formula, dict(zip(names, some, strict=True)), sure)
            yield from _factored(way, target) if "k" in formula else (way,)


def _factored(way: Way, target: Column) -> Iterator[Way]:
    """A way with the factor by which most rows come out right, which takes a row of evidence."""
    added, claims, halves = way.values(), target.values, target.steps * 0.5001
    times = way._replace(factor=1.0).values() - added
    ends = [(claims + by - added) / times for by in (-halves, halves)]
    low, high = np.minimum(*ends), np.maximum(*ends)
    inside = (low[:, None] <= low[:5]) & (low[:5] <= high[:, None])
    best = inside[:, inside.sum(0).argmax()]
    if best.sum() > 1:
        yield way._replace(factor=float(low[best].max() + high[best].min()) / 2, fitted=True)


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
    way, count = found.way, int(found.known.sum())
    if way.sure == SAID:
        return len(found.wrong) <= count // 2 and bool((found.right & (target.values != 0)).any())
    values, claims = found.values[found.wrong], target.values[found.wrong]
    signed = "k" in way.formula or (found.values[found.right] < 0).any()  # or it is how far, not where to
    wrong = [(n, found.values[at] * (100 if n.percent else 1)) for at in found.wrong if (n := target.numbers[at])]
    slips = all(slipped(n.text, value) or abs(value + n.printed.value) <= n.printed.unit for n, value in wrong)
    # a factor may well be another one in some row, and a part of a sum may be wrong as well
    loose = " + " in way.formula or ("k" in way.formula and not data.IS_RECKONED.search(target.label))
    enough = ENOUGH[way.sure] if slips or way.fitted or way.sure == TOLD else CERTAIN
    few = len(wrong) <= max(1, count // 5) and (values if signed else values * claims > 0).all()
    return (
        bool(few)
        and (slips or not loose)
        and found.digits >= enough + (found.rows < 3)
        and found.rows >= 2 + way.fitted
    )


def _write(page: Page, table: Table, target: Column, found: Trial) -> None:
    """Write down what a way makes of a column; a row that is marked, or sums up others, may be made in another way."""
    for at, number in enumerate(target.numbers):
        if number and found.known[at]:
            typed = not number.decimals or not any(column.halves[at] for column in found.way.sources.values())
            leeway = number.step * (0.6 if typed else 5 if found.way.fitted else 2)
            value, right = float(found.values[at]), found.right[at]
            summed = abs(np.nansum(target.values[:at]) - number.value) <= number.step / 2 and found.way.sure == SAID
            less = data.DISCOUNT.search(page.near(table.lines[-1], 0, 3)) and not slipped(number.text, value)
            excused = less or summed or not value or any(data.EXCUSED.search(cell.text) for cell in table.body[at])
            if not right and (excused or abs(value - number.value) <= leeway or _is_misread(number, found.way, at)):
                page.leave(number.line, "a row that may be made in another way")
                continue
            given = Verdict.rounded if right else Verdict.wrong
            page.number(target.label or "column", number, value, given, table.nth(number), found.way.node(at))


def _is_misread(claim: Number, way: Way, row: int) -> bool:
    """Whether a claim is right if two neighbouring digits of a number that it is made of are exchanged."""
    for name, column in way.sources.items():
        number = column.numbers[row] or Number("0", -1)
        for one, other in itertools.pairwise(at for at, sign in enumerate(number.text) if sign.isdigit()):
            text = number.text
            text = text[:one] + text[other] + text[one + 1 : other] + text[one] + text[other + 1 :]
            cells = [*column.cells[:row], number._replace(text=text), *column.cells[row + 1 :]]
            value = way._replace(sources={**way.sources, name: Column("", cells)}).values()[row]
            if abs(value - claim.value) <= claim.step * 0.6:
                return True
    return False


def check_totals(page: Page) -> None:
    """Judge every row that sums up others, column by column."""
    for table in page.tables:
        wrong = {finding.line for finding in page.findings if finding.verdict.fails}
        if len(table.rows) <= MOST_ROWS and wrong.isdisjoint(table.lines):
            for at in range(1, len(table.header)):
                _check_column(page, table, at)


def _check_column(page: Page, table: Table, at: int) -> None:
    right = {(finding.line, finding.claimed.rstrip("%")) for finding in page.findings}
    around = "\n".join([page.near(table.lines[0] - 1, 2), *map(label_of_row, table.rows)])
    crossed = data.IS_TOTAL.match(table.header[-1]) and all(cell.node for cell in table.rows[-1][1:])
    if crossed or data.NO_SUM.search(table.header[at]) or data.NOT_ALL.search(around):
        return  # rows that overlap, or some of them, or that sum up both ways
    items, since, last = list[Number](), list[Number](), list[Number]()  # all rows, those below the last total, and it
    whole = True  # every row above has a number here
    for row in table.rows:
        label, number = label_of_row(row), row[at].node
        summing, statistic = data.SUMMING_ROW.match(label), data.IS_STATISTIC_ROW.match(label)
        if not isinstance(number, Number):
            whole = whole and bool(summing)
        elif not summing:
            items.append(number)
            since.append(number)
        elif len(items) > 1 + bool(statistic) and whole:
            name = name_of(statistic[1]) if statistic else "sum"
            some = (
                [items] if statistic else [items, since, [*last, *since], *(items[at:] for at in range(1, len(items)))]
            )
            vouched = data.SAYS_TOTAL.match(label) and all((part.line, part.text) in right for part in items)
            if (number.line, number.text) not in right:
                _judge(page, table, number, name, [parts for parts in some if len(parts) > 1], sure=bool(vouched))
            since, last = (since, last) if statistic else ([], [number])


def _judge(page: Page, table: Table, claim: Number, name: str, some: Sequence[Sequence[Number]], *, sure: bool) -> None:
    """Judge a total by the numbers of which it may be one."""
    said, fits, slips = abs(claim.value), list[int](), list[int]()
    nodes = [Call(name, (Vector(tuple(parts)),)) for parts in some]
    values = [abs(_number(node)) for node in nodes]
    for at, value in enumerate(values):
        reach = (
            claim.step * (0.5001 if not claim.decimals else 1.0)
            + sum(part.step for part in some[at] if part.decimals) / 2
        )
        fits += [at] if abs(value - said) <= reach else []
        slips += [at] if at < 3 and slipped(claim.text.lstrip("-+"), value * (100 if claim.percent else 1)) else []
    slips.sort(key=lambda at: not _is_mixed(claim, values[at]))
    if not fits and not (slips and _is_mixed(claim, values[slips[0]])):
        at_fault = (_is_mixed(part, said - values[at] + part.value) for at, parts in enumerate(some) for part in parts)
        slips, sure = ([], False) if any(at_fault) else (slips, sure)
    near = [at for at in slips or [0] * sure if 0 < said < 2 * values[at] < 4 * said]
    for at in (fits or near)[:1]:
        value, given = math.copysign(values[at], claim.value), Verdict.rounded if fits else Verdict.wrong
        page.number("total", claim, value, given, table.nth(claim), nodes[at])


def _is_mixed(part: Number, value: float) -> bool:
    """Whether a part has the digits of what would make its total right in another order, which is no accident."""
    said, meant = (re.sub(r"\D", "", text) for text in (part.text, f"{abs(value):.{part.decimals}f}"))
    return len(said) > 3 and sorted(said) == sorted(meant)
