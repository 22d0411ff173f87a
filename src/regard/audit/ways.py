"""The ways in which a column may be made of others: sums, products, powers, shares, by a factor or from row to row.

Each is a formula of columns with the factors in it. Whether it holds is another question (relations.py).
"""

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from regard.audit import data
from regard.audit.evaluate import FUNCTIONS, ITEMWISE, PLAIN, Array
from regard.audit.grammar import parse
from regard.audit.nodes import Binary, Call, Name, Node, Number, Unary, Unreadable, Vector, filled
from regard.audit.tables import is_clock

MOST_ROWS = 100
SIZES = {"": 1.0, "%": 0.01, "M": 1e6, "B": 1e9}  # 13.0 B parameters
MOST_GIVEN = 20  # numbers of the text that may be factors
MOST_MULTIPLIED = 10  # and those that may be multiplied
TELLING_FACTOR = 1.5  # digits by which the rows must agree beyond those that it takes to choose one
UNITS = (1.0, 1e3, 1e6, 1e9, 2.0**10, 2.0**20, 2.0**30)
SHARES = "a / sum(all_a)"
RECKONED = ("k * a", "k * a * b", "k * a * b * c")


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
    clocks = [column for column in others if is_of_clock(column)]
    for one, other in itertools.permutations(clocks, 2):  # in decimal hours
        yield Way("(a - b) / 60", {"a": one, "b": other}), 0
        for pause in others:
            whole = {"a": one, "b": other, "c": pause}
            yield from ((Way(formula, whole), 0) for formula in ("(a - b - c) / 60", "(a - b) / 60 - c"))
    names = "abcdfghij"[: len(others)]
    for k, column in itertools.product(given_in(target.label), others if len(others) > 1 else ()):
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
    named = [*given_in(target.label), *(int(bits) / 8 for bits in data.BITS.findall(target.label))]  # bytes
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


def is_of_clock(column: Column) -> bool:
    """Whether it holds hours and minutes, which are subtracted and summed."""
    return any(number and is_clock(number) for number in column.numbers)


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


def given_in(text: str) -> list[float]:
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
