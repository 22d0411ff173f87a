"""The rule that asks the numbers: a column comes from others if every row says so but one.

Nobody need say how a column was made. The ways in which columns are made are tried one after the other, and each row
that comes out right to the last digit is evidence: as many digits as it prints. One way that explains all rows clears
the column; one that explains all but a few, with more digits than chance would give, shows which number slipped.
"""

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from regard.audit import data
from regard.audit.context import Page
from regard.audit.evaluate import FUNCTIONS, ITEMWISE, PLAIN, Array
from regard.audit.grammar import parse
from regard.audit.nodes import Binary, Call, Name, Node, Number, Unary, Unreadable, Vector, filled
from regard.audit.tables import Table, as_clock, is_clock
from regard.audit.verdict import Verdict, slipped, verdict

MOST_SOURCES = 6
SIZES = {"": 1.0, "%": 0.01, "M": 1e6, "B": 1e9}  # 13.0 B parameters
MOST_GIVEN = 20  # numbers of the text that may be factors
MOST_MULTIPLIED = 10  # and those that may be multiplied
SHARES = "a / sum(all_a)"
RECKONED = ("k * a", "k * a * b", "k * a * b * c")
TELLING_FACTOR = 1.5  # digits by which the rows must agree beyond those that it takes to choose one
UNITS = (1.0, 1e3, 1e6, 1e9, 2.0**10, 2.0**20, 2.0**30)
MOST_ROWS = 100
MOST_TABLES = 20  # of a page; one with more is data
# digits that must agree before it is no chance; fewer where the one that does not is a slip, or it is said
CHANCE = 5.5
SURE, SIMPLE, TOLD_ENOUGH = 4.5, 3.5, 3.0
TELLING = 8  # times the last digit that rounded sources would allow, before it tells that they are not rounded
TYPED = 2.7  # digits by which all of them together must tell it: those of three such rows
CERTAIN = 9.0  # and as many where the number that does not fit is nowhere near


class Column(NamedTuple):
    """Numbers one below the other, nothing where there is none, and what is said to be in them."""

    numbers: tuple[Number | None, ...]
    label: str
    mixed: bool = False  # in several units: 64 MB above 1 GB

    @property
    def values(self) -> Array:
        """Their values."""
        return np.array([math.nan if number is None else number.value for number in self.numbers])

    @property
    def halves(self) -> Array:
        """How far each may be off because it is rounded; a whole number is meant as it stands."""
        return np.array([number.step / 2 if number and number.decimals else 0.0 for number in self.numbers])


class Way(NamedTuple):
    """One way to make a column: a formula, the columns in it, and the factors."""

    formula: str
    sources: Mapping[str, Column]
    given: Mapping[str, float] = {}
    told: bool = False

    def values(self, moved: str = "") -> Array:
        """What it makes of every row; with `moved`, where that column is off by as much as rounding allows."""
        named: dict[str, Array] = {}
        for name, column in self.sources.items():
            cells = column.values + (column.halves if name == moved else 0.0)
            above, sofar = np.concatenate([[math.nan], cells[:-1]]), np.nancumsum(cells)
            named |= {name: cells, f"all_{name}": cells[~np.isnan(cells)], f"before_{name}": above}
            named |= {f"sofar_{name}": sofar, f"running_{name}": sofar / np.arange(1, len(cells) + 1)}
            named[f"first_{name}"] = np.full(len(cells), cells[0])
        count = len(next(iter(self.sources.values())).numbers)
        named |= {name: np.full(count, value) for name, value in {"one": 1.0, **self.given}.items()}
        return _loose(_parsed(self.formula), named, count)

    def node(self, row: int) -> Node:
        """The formula with the numbers of one row, to be opened."""
        parts: dict[str, Node] = {
            name: Number(f"{value:.12g}", -1) for name, value in {"one": 1.0, **self.given}.items()
        }
        for name, column in self.sources.items():
            cells = column.numbers
            known = tuple(cell for cell in cells if cell)
            places = {name: row, f"first_{name}": 0, f"before_{name}": row - 1}
            parts |= {key: cells[at] or Name("?") for key, at in places.items()} | {f"all_{name}": Vector(known)}
            sofar = (Vector(tuple(cell for cell in cells[: row + 1] if cell)),)
            parts |= {f"sofar_{name}": Call("sum", sofar), f"running_{name}": Call("mean", sofar)}
        return filled(_parsed(self.formula), parts)


@lru_cache(maxsize=500)
def _parsed(formula: str) -> Node:
    return parse(formula)


def _loose(node: Node, named: Mapping[str, Array], count: int) -> Array:
    """The value of a formula for every row, nothing where it has none: a column may begin without a cell above."""
    match node:
        case Name(text):
            return named[text]
        case Number():
            return np.full(count, node.value)
        case Unary(_, operand):
            return -_loose(operand, named, count)
        case Binary(sign, left, right):
            one, other = _loose(left, named, count), _loose(right, named, count)
            compute = np.power if sign in ("^", "**") else PLAIN[sign]
            return compute(one, other[: len(one)])  # of a whole column some cells may be no numbers
        case Call("min" | "max" as function, (one, other)):
            compute = np.minimum if function == "min" else np.maximum
            return compute(_loose(one, named, count), _loose(other, named, count))
        case Call(function, (inner,)):
            found = np.asarray(FUNCTIONS[function][0](_loose(inner, named, count)))
            whole = found.ndim and function not in ITEMWISE and len(found) != count
            return np.full(count, math.nan) if whole else found if found.ndim else np.full(count, found)
    raise Unreadable("no formula of columns")


class Fit(NamedTuple):
    """How well a way explains a column."""

    way: Way
    values: Array
    right: Array  # row by row
    known: Array  # rows in which there is something to compare
    digits: float  # that agree, less those that were chosen to agree

    @property
    def wrong(self) -> int:
        """How many rows it does not explain."""
        return int((self.known & ~self.right).sum())


def fit(target: Column, way: Way, chosen: int = 0) -> Fit | None:
    """How well a way explains a column; nothing where it hardly does."""
    values, claims = way.values(), target.values
    known = np.isfinite(values) & np.isfinite(claims)
    units = np.array([number.step if number else 0.0 for number in target.numbers])
    near = known & (np.abs(values - claims) <= np.maximum(3 * units, 0.05 * np.abs(claims)))
    if known.sum() < 3 or near.sum() < (1 if "t" in way.sources else 2):  # a slip in a row shows in the next one too
        return None
    reach = units * 0.5 + 1e-9 * np.abs(claims)
    off = np.abs(values - claims)
    as_typed, plain = known & (off <= reach), reach
    for name in way.sources:
        reach = reach + np.nan_to_num(np.abs(way.values(name) - values))
    if chosen > 1:  # a line is as sure as the points that it was drawn through
        reach = np.maximum(reach, np.nanmax(units))
    split = any(number and number.decimals for number in target.numbers)
    reach = reach * (2 if chosen and split else 1)  # a factor that was chosen is only as sure as the rows it comes from
    right, telling = known & (off <= reach), reach > TELLING * plain
    shown = np.log10((reach / plain)[as_typed & telling]).sum()  # digits that rounded sources would not have given
    if not chosen and shown > TYPED and as_typed.sum() >= known.sum() - max(1, int(known.sum()) // 5):
        right = as_typed  # what the others show to be typed as it stands is no rounded 0.45
    others = [column for name, column in way.sources.items() if name != "t" and _is_clock(column) == _is_clock(target)]
    same = [np.isclose(claims, column.values) for column in others]
    told = [_digits(number) if number and ok and not any(s[at] for s in same) else 0
            for at, (number, ok) in enumerate(zip(target.numbers, right, strict=True))]  # fmt: skip
    # that something is about 1 tells nothing
    near_whole = [bool(n) and not n.decimals and gap > 1e-6 for n, gap in zip(target.numbers, off, strict=True)]
    told = [max(0, count - 1) if rough else count for count, rough in zip(told, near_whole, strict=True)]
    # what all rows share tells nothing of a factor: 0.851, 0.866, 0.848; the times of a bus are in an order besides
    if chosen and len(way.sources) == 1 and not _is_clock(target):
        spread = math.log10(max(1.0, float(np.ptp(claims[known]) / np.nanmax(units))))
        told = [min(count, spread) for count in told]
    pairs: dict[tuple[str, ...], float] = {}
    for at, (number, count) in enumerate(zip(target.numbers, told, strict=True)):
        cells = (number, *(column.numbers[at] for column in way.sources.values()))
        pairs[tuple(cell.text for cell in cells if cell)] = count
    ordered = sorted(pairs.values(), reverse=True)
    return Fit(way, values, right, known, float(sum(ordered[chosen:])))


def _mended(target: Column, found: Fit) -> Fit | None:
    """A column that goes on from row to row: one slip shows twice, but at the end. Any other row that does not follow
    may be the fault of what it is made of."""
    off = np.flatnonzero(found.known & ~found.right)
    if len(off) == 1:
        return found if off[0] == len(target.numbers) - 1 else None
    first, number = int(off[0]), target.numbers[off[0]]
    if len(off) > 2 or off[1] != first + 1 or number is None:
        return None
    right = number._replace(text=f"{found.values[first] * (100 if number.percent else 1):.{number.decimals}f}")
    mended = target._replace(numbers=(*target.numbers[:first], right, *target.numbers[first + 1 :]))
    again = fit(target, found.way._replace(sources={**found.way.sources, "t": mended}))
    return again if again and again.wrong == 1 else None


def _digits(number: Number) -> int:
    """How many digits of a number tell something: those behind leading and before closing zeros, four at most."""
    mantissa, _, exponent = number.text.lower().partition("e")
    digits = re.sub(r"\D", "", mantissa).lstrip("0")
    return min(4, len(digits if exponent else digits.rstrip("0")))


def ways(target: Column, others: Sequence[Column], given: Sequence[float], said: str) -> Iterator[tuple[Way, int]]:
    """Every way in which a column may be made of others, and how many rows were used up to choose its factor."""

    def told(formula: str) -> bool:
        if formula == SHARES:
            return re.search(data.CALLED[formula], target.label, re.I) is not None
        names = set(re.findall(r"[a-z]+[0-9]*", formula)) & data.CALLED.keys()
        return bool(names) and all(re.search(data.CALLED[name], said, re.I) for name in names)

    for column in others:
        yield from ((Way(formula, {"a": column}, {}, told(formula)), 0) for formula in data.FORMULAS["one"])
        for k in given if "softmax" in said.lower() else ():
            yield Way("exp(a / k) / sum(exp(all_a / k))", {"a": column}, {"k": k}, True), 0
        for formula in (*data.FORMULAS["factored"], *data.FORMULAS["shifted"]):
            factor = formula in data.FORMULAS["factored"]
            plain = Way(formula, {"a": column}, {"k": float(factor)}).values()
            wanted = target.values / plain if factor else target.values - plain
            for by in (by for one in given for by in (one, 1 / one if factor else -one)):
                if (np.abs(wanted - by) <= 0.02 * abs(by)).sum() > 1:
                    yield Way(formula, {"a": column}, {"k": by}), 0
            if (k := _common(target, plain, factor)) is not None:
                yield Way(formula, {"a": column}, {"k": k}), 1
        yield from _reckoned("k * a", {"a": column}, target, given)
        if line := _line(target, column):
            yield Way("k + m * a", {"a": column}, line), 2
    for one, other in itertools.permutations(others, 2):
        for formula in data.FORMULAS["two"]:
            if not (formula in ("a * b", "a + b", "sqrt(a * a + b * b)") and others.index(one) > others.index(other)):
                called = re.search(data.CALLED[formula], target.label, re.I) if formula in data.CALLED else None
                yield Way(formula, {"a": one, "b": other}, {}, called is not None), 0
        for formula in data.FORMULAS["paired"][: 1 + (others.index(one) < others.index(other))]:
            plain = Way(formula, {"a": one, "b": other}, {"k": 1.0}).values()
            cosine = re.search("cos", target.label, re.I) and re.search(r"dot|product|·", one.label, re.I)
            if (k := _common(target, plain, True)) is not None:
                yield Way(formula, {"a": one, "b": other}, {"k": k}, bool(cosine)), 1
            yield from _reckoned(formula, {"a": one, "b": other}, target, given) if formula == "k * a * b" else ()
            for by in (by for one in given for by in (one, 1 / one)):
                if (np.abs(target.values / plain - by) <= 0.02 * abs(by)).sum() > 1:
                    yield Way(formula, {"a": one, "b": other}, {"k": by}, bool(cosine)), 0
        for k in given:
            if k == int(k) and k < 10 and not any(n and n.decimals for n in (*one.numbers, *other.numbers)):
                yield Way("k * a + b", {"a": one, "b": other}, {"k": k}), 0
    for three in itertools.combinations(others, 3) if len(others) < 6 else ():
        whole = dict(zip("abc", three, strict=True))
        if (k := _common(target, Way("k * a * b * c", whole, {"k": 1.0}).values(), True)) is not None:
            yield Way("k * a * b * c", whole, {"k": k}), 1
        yield from _reckoned("k * a * b * c", whole, target, given)
    for three in itertools.permutations(others, 3) if len(others) < 6 else ():
        yield from ((Way(formula, dict(zip("abc", three, strict=True))), 0) for formula in data.FORMULAS["three"])
    clocks = [column for column in others if _is_clock(column)]
    for one, other in itertools.permutations(clocks, 2):  # in decimal hours
        yield Way("(a - b) / 60", {"a": one, "b": other}), 0
        for pause in others:
            whole = {"a": one, "b": other, "c": pause}
            yield from ((Way(formula, whole), 0) for formula in ("(a - b - c) / 60", "(a - b) / 60 - c"))
    names = "abcdfghij"[: len(others)]
    for k, column in itertools.product(_given(target.label), others if len(others) > 1 else ()):
        rest = [other for other in others if other is not column]  # 24 months: 24 times a price per month, and fees
        yield Way(" + ".join(["k * a", *names[1:]]), dict(zip(names, [column, *rest], strict=True)), {"k": k}, True), 0
    if len(others) > 2:
        whole = dict(zip(names, others, strict=False))
        yield Way(" + ".join(names), whole), 0
        averaged = re.search("mean|avg|average", said, re.I) is not None
        yield Way(f"({' + '.join(names)}) / {len(names)}", whole, {}, averaged), 0


def _reckoned(
    formula: str, sources: Mapping[str, Column], target: Column, given: Sequence[float]
) -> Iterator[tuple[Way, int]]:
    """A factor that numbers of the page make: 2 × 40 layers × 128 × 2 bytes, in KiB. Of those in the header there are
    few; of all others there are many, which takes a row to choose from."""
    if target.mixed:
        return
    plain, claims = Way(formula, sources, {"k": 1.0}).values(), target.values
    steps = np.array([number.step if number else math.nan for number in target.numbers])
    split = np.array([bool(number and number.decimals) for number in target.numbers])
    known = np.isfinite(plain) & np.isfinite(claims)
    named = [*_given(target.label), *(int(bits) / 8 for bits in data.BITS.findall(target.label))]  # bytes
    for numbers, chosen in ((named, 0), (given, 1)):
        factors = _products(tuple(numbers[:MOST_MULTIPLIED]))
        if len(factors) and known.sum() > 2:
            off = np.abs(factors[:, None] * plain - claims)
            right = off <= np.where(split, 0.5001 * steps, 1e-9 * np.abs(claims))
            best = int(right.sum(1).argmax())
            told = np.log10(np.maximum(1.0, np.abs(claims) / steps)[right[best]]).sum() - math.log10(len(factors))
            if right[best].sum() >= known.sum() - 1 and told > TELLING_FACTOR:
                yield Way(formula, sources, {"k": float(factors[best])}, True), chosen


@lru_cache(maxsize=200)
def _products(numbers: tuple[float, ...]) -> Array:
    """Every product of up to four numbers, a 2 among them maybe twice, in every unit."""
    pool = [*numbers, *([2.0] if 2.0 in numbers else [])]
    some = [math.prod(part) for count in range(1, 5) for part in itertools.combinations(pool, count)]
    return np.unique(np.divide.outer(some, UNITS)) if some else np.zeros(0)


def _is_clock(column: Column) -> bool:
    """Whether it holds hours and minutes, which are subtracted and summed."""
    return any(number and is_clock(number) for number in column.numbers)


def _is_of_clocks(way: Way) -> bool:
    """Whether times are made so: a bus is as many minutes behind the one before it at every stop, but no time of day is
    the sum of two others less a third, where any of them may be wrong."""
    return way.formula == "k + a" if way.given else way.formula != "a + b - c"


def _line(target: Column, column: Column) -> dict[str, float] | None:
    """The straight line on which all rows lie but one; at least four must."""
    x, y = column.values, target.values
    units = np.array([number.step if number else math.nan for number in target.numbers])
    known = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    wide = len(known) and np.ptp(y[known]) > 50 * np.nanmax(units)
    for i, j in itertools.combinations(known[:6], 2) if 5 <= len(known) <= MOST_ROWS and wide else ():
        slope = (y[j] - y[i]) / (x[j] - x[i]) if x[i] != x[j] else 0.0
        reach = units / 2 + 2 * abs(slope) * column.halves
        if slope and (np.abs(y[i] + slope * (x - x[i]) - y)[known] <= reach[known]).sum() >= max(4, len(known) - 1):
            return {"k": float(y[i] - slope * x[i]), "m": float(slope)}
    return None


def _common(target: Column, plain: Array, factor: bool) -> float | None:
    """The factor, or what is added, by which most rows come out right; at least three must."""
    claims = target.values
    halves = np.array([number.step / 2 if number else math.nan for number in target.numbers])
    ends = [(claims + by) / plain if factor else claims + by - plain for by in (-halves, halves)]
    low, high = np.minimum(*ends), np.maximum(*ends)
    best, most = None, 2
    for start in low[np.isfinite(low)][:5]:
        slack = 1e-12 * abs(start)
        inside = (low <= start + slack) & (start <= high + slack)
        if inside.sum() > most:
            best, most = float(low[inside].max() + high[inside].min()) / 2, int(inside.sum())
    return best if best and abs(best) > 1e-12 else None


def check_relations(page: Page) -> None:
    """Judge the columns of every table that nothing else has explained."""
    for at, table in enumerate(page.tables[:MOST_TABLES]):
        joined = [column for other in page.tables[:at] for column in _looked_up(table, other)]
        labelled = table.titled and not all(isinstance(row[0].node, Number) for row in table.rows)
        for one in (table, table.turned()) if labelled else (table,):
            if 3 <= len(one.body) <= MOST_ROWS and len(one.header) <= 12:
                _check_table(page, one, joined if one is table else [])


def _looked_up(table: Table, other: Table) -> Iterator[Column]:
    """The columns of another table, each number where a row names the one it stands in: prices, and what is ordered."""
    keys = {row[0].text.strip().lower(): at for at, row in enumerate(other.body)}
    either = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(keys, key=len, reverse=True)))})(?!\w)")
    found = [either.findall(row[0].text.lower()) for row in table.body]
    if len(keys) == len(other.body) > 1 and all(len({*names}) == 1 and names[0] for names in found):
        for at, header in enumerate(other.header[1:], 1):
            column = numbers_of(other, at)
            if all(column):
                yield Column(tuple(column[keys[names[0]]] for names in found), header)


def _check_table(page: Page, table: Table, joined: Sequence[Column]) -> None:
    judged = {(finding.line, finding.claimed) for finding in page.findings}
    around = f"{page.near(table.lines[0] - 1, 12)} {page.near(table.lines[-1] + 3, 2)}".replace("{,}", ",")
    columns = [Column(numbers_of(table, at), header, _is_mixed(table, at)) for at, header in enumerate(table.header)]
    diagonal = _diagonal(table, columns)
    numeric = [at for at, column in enumerate(columns) if sum(n is not None for n in column.numbers) > 2]
    for at in numeric:
        numbers = [number for number in columns[at].numbers if number]
        if all(data.YEAR.fullmatch(number.text) for number in numbers):
            continue
        if sum((n.line, n.text + "%" * n.percent) in judged for n in numbers) * 2 > len(numbers):
            continue
        sources = [*joined, *(columns[other] for other in numeric if other < at)][-MOST_SOURCES:]
        given = _given(f"{table.header[at]} {around}")
        said = f"{table.header[at]} {page.near(table.lines[0] - 1, 3)}"
        others = [_with_zeros(table, other, columns[other]) for other in numeric if other != at][-MOST_SOURCES:]
        called = data.A_CALL.fullmatch(table.header[at].strip("$ "))  # cos(p/100) says itself how it is made
        first = [*weighted(sources, around), *(() if called else recurrent(columns[at], others, given, around))]
        first += [Way("a / b", {"a": diagonal, "b": column}) for column in sources[-1:] if diagonal]
        found = explained(columns[at], sources, given, said, first)
        if found and not (found.way.given and data.SAYS_TOTAL.match(columns[at].label)):  # a total has no factor
            write(page, table, columns[at], found)


def _diagonal(table: Table, columns: Sequence[Column]) -> Column | None:
    """What is right in a table of confusions, whose rows are called as its columns are."""
    labels = [row[0].text.strip().lower() for row in table.body]
    if len(labels) < 3 or [header.strip().lower() for header in table.header[1 : len(labels) + 1]] != labels:
        return None
    return Column(tuple(columns[at + 1].numbers[at] for at in range(len(labels))), "diagonal")


def numbers_of(table: Table, at: int) -> tuple[Number | None, ...]:
    """The numbers of a column, in percent where its header says so; of a clock the minutes."""
    if clock := table.clock(at):
        return tuple(clock)
    marked = "%" in table.header[at]
    return tuple(number._replace(percent=number.percent or marked) if number else None for number in table.column(at))


def _is_mixed(table: Table, at: int) -> bool:
    """Whether the numbers of a column have several units."""
    found = (data.TABLES_NUMBER.fullmatch(data.DECORATION.sub("", row[at].text).strip()) for row in table.body)
    return len({one[3] for one in found if one}) > 1


def _with_zeros(table: Table, at: int, column: Column) -> Column:
    """A column whose empty cells add nothing to what goes on from row to row: what came in, or went out."""
    cells = (row[at] for row in table.body)
    nothing = [Number("0", -1, False, cell.line) if not re.search(r"\w", cell.text) else None for cell in cells]
    return column._replace(numbers=tuple(one or zero for one, zero in zip(column.numbers, nothing, strict=True)))


def _given(text: str) -> list[float]:
    """The numbers of a text that may be factors."""
    found = [(float(n.replace(",", "")), mark) for n, mark in data.FACTOR.findall(text)]
    values = [by for value, mark in found for by in (value * SIZES[mark], *([value] if mark in ("M", "B") else []))]
    return list(dict.fromkeys(value for value in values if value not in (0.0, 1.0)))[:MOST_GIVEN]


def weighted(sources: Sequence[Column], around: str) -> list[Way]:
    """A column of all others by the weights that the text gives their names: homework 30%, exam 70%."""
    factors: list[float] = []
    for column in sources:
        word = re.escape(column.label.strip().lower())
        before = rf"(\d+(?:\.\d+)?)\s?(%?)\s?(?:[a-z]+\s+){{0,3}}{word}(?!\w)"
        meant = r"(?:(?:[a-z]+\s+)?[a-z]+\s*)?"  # the final exam: 50 %
        after = rf"(?<!\w){word}(?!\w)\W{{0,4}}{meant}\W{{0,4}}(\d+(?:\.\d+)?)\s?(%?)"
        found = re.search(after, around.lower()) or re.search(before, around.lower()) if len(word) > 2 else None
        if found:
            factors.append(float(found[1]) / (100 if found[2] else 1))
    if len(factors) != len(sources) or len(sources) < 2:
        return []
    named = dict(zip("abcdfg", sources, strict=False))
    scales = (1.0, 1e-3, 1e-6, 1 / sum(factors)) if sum(factors) else ()
    sums = " + ".join(f"k{name} * {name}" for name in named)
    return [Way(sums, named, {f"k{n}": f * by for n, f in zip(named, factors, strict=True)}, True) for by in scales]


def recurrent(target: Column, others: Sequence[Column], given: Sequence[float], around: str) -> Iterator[Way]:
    """Every way in which a column may go on from row to row, by itself or by what stands on either side of it; the page
    may say so: v ← 0.5·v + g."""
    told = bool(target.label) and re.search(rf"(?<!\w){re.escape(target.label)}\s*(?:←|<-|:=)", around) is not None
    for formula in data.FORMULAS["recurrent"]:
        names = [name for name in "ab" if re.search(rf"\b(?:before_)?{name}\b", formula)]
        mixed = names and formula.startswith("k")  # with what came before, a part of it
        factors = [{"k": k} for k in given if k < 1 or not mixed] if "k" in formula else [{}]
        for some, factor in itertools.product(itertools.permutations(others, len(names)), factors):
            yield Way(formula, {"t": target, **dict(zip(names, some, strict=True))}, factor, told)


def explained(
    target: Column, sources: Sequence[Column], given: Sequence[float], said: str, first: Sequence[Way] = ()
) -> Fit | None:
    """The way that explains a column, wholly or all but a slip; nothing where none is sure."""
    best: Fit | None = None
    whole: Fit | None = None
    for way, chosen in itertools.chain(((way, 0) for way in first), ways(target, sources, given, said)):
        found = fit(target, way, chosen) if not _is_clock(target) or _is_of_clocks(way) else None
        if found and found.wrong and "t" in way.sources:
            found = _mended(target, found)
        if found is None or found.wrong > max(1, int(found.known.sum()) // 5):
            continue
        if not found.wrong and found.digits >= (CHANCE if not way.told else TOLD_ENOUGH):
            return found if found.digits >= SURE else None
        if not found.wrong and found.digits >= TOLD_ENOUGH and (whole is None or found.digits > whole.digits):
            whole = found
        better = best is None or (way.told, found.digits) > (best.way.told, best.digits)
        if found.wrong and better and _is_sure(target, found):
            best = found
    if best and (whole is None or best.way.told):
        return best
    return whole if whole and whole.digits >= SURE else None


def _is_sure(target: Column, found: Fit) -> bool:
    """Whether the rows that agree are enough to call the others wrong."""
    off = found.known & ~found.right
    if found.way.given and _is_clock(target) and (_rises(target.values) or not _rises(found.values)):
        return False  # somebody may leave early; no bus does before it comes
    rows = [(number, value) for number, value, is_off in zip(target.numbers, found.values, off, strict=True) if is_off]
    slips = all(number and has_slipped(number, value) for number, value in rows)
    signed = any(value < 0 for value in found.values[found.right]) or bool(found.way.given)
    signed = signed and "sqrt" not in found.way.formula  # a root may be meant either way
    if not signed and any(number and value * number.value < 0 for number, value in rows):
        return False  # how far, not where to
    multiple = any(number and _is_multiple(number.value, value) for number, value in rows)
    reckoned = found.way.told and found.way.formula in RECKONED
    if found.way.given and not slips and (not multiple if reckoned else multiple and not found.way.told):
        return False  # a factor may well be twice as large in some row, but not one that the page gives
    telling = bool(found.way.given) and data.IS_RECKONED.search(target.label) is not None
    if found.way.told and found.way.formula == SHARES and slips and int(found.right.sum()) > 1:
        return True  # of few rows, in whole percent
    enough = TOLD_ENOUGH if found.way.told else SURE if slips or telling else CERTAIN
    if slips and found.way.formula in (*data.FORMULAS["two"][:4], "k * a") and int(found.right.sum()) > 2:
        enough = min(enough, SIMPLE)  # what everybody does with two columns
    if (found.way.formula in data.FORMULAS["paired"] or "t" in found.way.sources) and not slips and not found.way.told:
        return False  # of three columns much can be made with a factor
    least = 2 if found.way.told or (slips and found.digits >= CHANCE) else 3
    return found.digits >= enough and int(found.right.sum()) >= least


def _rises(values: Array) -> bool:
    return bool((np.diff(values[np.isfinite(values)]) > 0).all())


def _is_multiple(one: float, other: float) -> bool:
    """Whether one number is twice the other, or thrice, as far as it is printed."""
    smaller, larger = sorted((abs(one), abs(other)))
    times = larger / smaller if smaller else math.inf
    return times < 100 and round(times) not in (1, 10) and abs(times - round(times)) < 0.005 * times


def has_slipped(number: Number, value: float) -> bool:
    """Whether a number is a slip away from its value, as it is printed: 1:52 from 1:25."""
    if is_clock(number):
        said, found = (as_clock(count, number.unit).replace(":", "") for count in (number.value, value))
        return slipped(said, float(found))
    value *= 100 if number.percent else 1
    return slipped(number.text, value) or (value * number.printed.value < 0 and _has_lost_sign(number, value))


def _has_lost_sign(number: Number, value: float) -> bool:
    return abs(value + number.printed.value) <= number.printed.unit


def write(page: Page, table: Table, target: Column, found: Fit) -> None:
    """Write down what a way makes of a column, row by row."""
    printed = any(line.language in ("output", "printed") for line in page.lines if line.number in table.lines)
    for at, number in enumerate(target.numbers):
        if number is None or not found.known[at]:
            continue
        value = float(found.values[at]) * (100 if number.percent else 1)
        given = verdict(number.text, value)
        used = [column.numbers[at] for column in found.way.sources.values()]
        typed = found.way.told and not any(source.decimals if source else True for source in used)
        if found.right[at]:
            given = Verdict.rounded if given.fails else given
        elif (
            abs(value - number.printed.value) <= _leeway(value, number, typed=typed)
            or (found.way.given and number.decimals > 2 and _is_near(number, float(found.values[at])))
            or _is_excused(table, at, [number, *used])
            or (printed and not has_slipped(number, float(found.values[at])))  # code may have set it
        ):
            page.leave(number.line, "a row that may be made in another way")
            continue
        what, node = target.label or "column", found.way.node(at)
        page.number(what, number, float(found.values[at]), given, table.nth(number), node)


FITTED = 5  # last digits by which a factor that was found from the rows themselves, which are rounded, may be off


def _is_near(number: Number, value: float) -> bool:
    return abs(value - number.value) < FITTED * number.step


def _leeway(value: float, number: Number, *, typed: bool) -> float:
    """How far a row may be off without being called wrong: two steps, but nothing where it comes out even, of what is
    typed as it stands."""
    steps = value / number.printed.unit
    return number.printed.unit * (0.5 if abs(steps - round(steps)) < 1e-6 and (typed or not number.decimals) else 2)


def _is_excused(table: Table, row: int, used: Sequence[Number | None]) -> bool:
    """Whether a row has a mark or a word that makes it another case; a mark behind a number is only about that one."""
    columns = {number.place % 1000 for number in used if number}
    cells = (cell for cell in table.body[row] if cell.column in columns or not data.MARKED.fullmatch(cell.text))
    return any(data.EXCUSED.search(cell.text) for cell in cells)
