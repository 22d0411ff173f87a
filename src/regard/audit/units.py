"""Units: what a word behind a number is worth, and whether two sides of a claim speak of the same kind of thing.

A unit is a word, or words joined by `/` and raised (`m/s^2`). A known one has a dimension and a factor, an ambiguous
one several (`MB` is 10⁶ or 2²⁰ bytes). Any other noun ("3 nights × 38.50 €") counts things, and changes no number.
"""

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from regard.audit import data
from regard.audit.nodes import Binary, Call, Node, Number, Unary, Unreadable, below, rebuilt, walk
from regard.audit.verdict import NOISE, Printed, Verdict, alone, slipped

MOST_MEANINGS = 64  # of all units of a claim together
NEAR = 2.0  # a claim that is further off may be in another unit
SCALES = [by**sign for by in (7, 12, 24, 60, 100, 365, 1e3, 3600, 1e6, 1e9, 1024, 2**20, 2**30) for sign in (1, -1)]
THOUSANDTHS = (1e-3, 1e-6, 1e-9)
TENS = (10.0, 0.1)  # a slip of the point, where no unit says otherwise


class Unit(NamedTuple):
    """What one of a unit is worth, and the powers of its dimensions."""

    factor: float
    powers: tuple[tuple[str, float], ...] = ()

    def times(self, other: "Unit", sign: float = 1) -> "Unit":
        """The unit of a product, or with the sign -1 of a quotient."""
        powers = dict(self.powers)
        for name, power in other.powers:
            powers[name] = powers.get(name, 0) + sign * power
        return Unit(self.factor * other.factor**sign, tuple(sorted((n, p) for n, p in powers.items() if p)))

    def raised(self, by: float) -> "Unit":
        """The unit of a power."""
        return Unit(self.factor**by, tuple((name, power * by) for name, power in self.powers))


def _known() -> dict[str, list[Unit]]:
    """The units of `data.toml` by all of their names; a row is a dimension, such as `M^1 L^1 T^-2`."""
    found: dict[str, list[Unit]] = {}
    for dimension, listed in data.UNITS.items():
        powers = [(part[0], float(part[2:] or 1)) for part in dimension.split() if part[0] != "1"]
        for entry in listed.split():
            *names, factors = entry.split("=")
            for name, factor in itertools.product(names, factors.split("|")):
                found.setdefault(name, []).append(Unit(float(factor), tuple(sorted(powers))))
    return found


KNOWN = _known()
ONE = Unit(1.0)


def meanings(unit: str) -> list[Unit]:
    """What a unit may be; nothing where one of its words is not known.

    >>> meanings("km/h"), meanings("apples")
    ([Unit(factor=0.2777777777777778, powers=(('L', 1.0), ('T', -1.0)))], [])
    """
    found, sign = [ONE] if re.match(r"/?[^\W\d_]", unit) else [], -1 if unit.startswith("/") else 1
    for word, power, joint in re.findall(r"([^\W\d_]+)(?:\^(-?\d))?([/·]?)", unit):
        factors = [one.raised(float(power or 1)) for one in KNOWN.get(word, ())]
        found = [one.times(other, sign) for one in found for other in factors]
        sign = -1 if joint == "/" else sign
    return found


def units_of(node: Node) -> list[str]:
    """The units of an expression, each once."""
    return list(dict.fromkeys(part.unit for part in walk(node) if isinstance(part, Number) and part.unit))


def converted(reference: Node, claim: Node) -> list[Node]:
    """The expression in the unit of its claim, by every meaning in which both sides are of one kind."""
    names = list(dict.fromkeys([*units_of(reference), *units_of(claim)]))
    known = [meanings(name) for name in names]
    if not names or math.prod(map(len, known)) not in range(1, MOST_MEANINGS + 1):
        return []
    found: list[Node] = []
    for chosen in itertools.product(*known):
        given = dict(zip(names, chosen, strict=True))
        try:
            kind, other = _dimension(reference, given), _dimension(claim, given)
        except Unreadable:
            continue
        plain = isinstance(reference, Number) and not kind.powers  # 10k steps = 328M tokens
        if kind.powers == other.powers and isinstance(claim, Number) and not plain:
            scaled = _scaled(reference, given)
            found.append(scaled if other.factor == 1 else Binary("/", scaled, _factor(other.factor)))
    return found


def _factor(value: float) -> Number:
    return Number(repr(value), -1)


def _scaled(node: Node, given: Mapping[str, Unit]) -> Node:
    if isinstance(node, Number):
        bare, factor = node._replace(unit=""), given[node.unit].factor if node.unit else 1
        return bare if factor == 1 else Binary("*", bare, _factor(factor))
    return rebuilt(node, tuple(_scaled(part, given) for part in below(node)))


def _dimension(node: Node, given: Mapping[str, Unit]) -> Unit:
    """The dimension of an expression, and of a plain number its factor."""
    match node:
        case Number():
            return given[node.unit] if node.unit else ONE
        case Binary("*" | "×" | "·" | "/" as sign, left, right):
            return _dimension(left, given).times(_dimension(right, given), -1 if sign == "/" else 1)
        case Binary("^" | "**", left, Number() as power):
            return _dimension(left, given).raised(power.value)
        case Unary("√", operand) | Call("sqrt", (operand,)):
            return _dimension(operand, given).raised(0.5)
    kinds = {_dimension(part, given).powers for part in below(node)}
    if len(kinds) > 1 or (isinstance(node, Call) and kinds != {()}):
        raise Unreadable("a sum of different kinds")
    return Unit(1.0, kinds.pop() if kinds else ())


def is_rest(claim: Number, value: float, reference: Node) -> bool:
    """Whether a quotient was made whole: 100 / 8 = 13 batches."""
    divides = any(isinstance(part, Binary) and part.operator in ("/", "//") for part in walk(reference))
    return divides and not claim.decimals and abs(value - claim.printed.value) < 1


def is_near(claim: Number, value: float) -> bool:
    """Whether a claim is about as large as the value, or a slip away from it."""
    return 1 / NEAR < value / (claim.printed.value or math.inf) < NEAR or slipped(claim.text, value)


def is_scaled(claim: Number, value: float, by: float) -> bool:
    """Whether a claim is so many times the value, as it is printed; round numbers of thousands are rough: 800K."""
    return alone(Printed.read(claim.text, about=by in THOUSANDTHS), value * by) is not Verdict.wrong


def may_convert(claim: Number, value: float, reference: Node, unit: str, strange: bool) -> bool:
    """Whether a number with a unit, which is not the value, may be right in a unit that the page does not say, or where
    units of another kind stand before it."""
    if not claim.printed.value or not value or not math.isfinite(value) or is_rest(claim, value, reference):
        return True
    factors = {*_factors(unit), *SCALES}
    if (strange or isinstance(reference, Number)) and not is_near(claim, value):
        tenfold = any(abs(value / claim.printed.value / by - 1) < NOISE for by in TENS if by not in factors)
        return not tenfold
    return any(is_scaled(claim, value, by) for by in factors if strange or by not in TENS)


def _factors(unit: str) -> Iterator[float]:
    """By what a number in another unit of the same kind may have been multiplied."""
    own = meanings(unit) if unit else []
    kinds: Sequence[Unit] = [one for units in KNOWN.values() for one in units]
    yield from {other.factor / one.factor for one in own for other in kinds if other.powers == one.powers}
