"""Units: what a word behind a number is worth, and whether two sides of a claim speak of the same kind of thing.

Two sides are of one kind if they are equal wherever metres, seconds and bytes are: a unit is its worth in two systems,
ours and an arbitrary one, and what holds in both holds by its dimensions. `MB` may mean 10⁶ or 2²⁰ bytes.
"""

import itertools
import math
import re
from contextlib import suppress
from functools import partial

import numpy as np

from regard.audit import data
from regard.audit.evaluate import Array, evaluate
from regard.audit.grammar import parse
from regard.audit.nodes import Call, Name, Node, Number, Unreadable, calls_in, mapped, walk
from regard.audit.verdict import NOISE, slipped, verdict

MOST_MEANINGS = 64  # of all units of a claim together
NEAR = 2.1  # a claim that is further off may be in another unit
SCALES = (1 / math.log(2), 7, 12, 24, 60, 100, 365, 1e3, 1024, 3600, 1e6, 2**20, 1e9, 2**30)
BASE = ("m", "s", "kg", "B", "FLOP", "A", "mol", "K")
SYSTEMS = [{name: np.asarray(1.0 + other * math.sqrt(at + 2)) for at, name in enumerate(BASE)} for other in (0, 1)]
KNOWN = {
    name: [np.array([evaluate(node, system) for system in SYSTEMS]) for node in map(parse, texts)]
    for name, texts in data.MEANINGS["units"].items()
}


def meanings(unit: str) -> list[Array]:
    """What a unit may be worth; nothing where one of its words is not known."""
    words = re.findall(r"([/·]?)([^\W\d_]+)(?:\^\(?(-?\d))?", unit)
    found = [np.ones(2)] if words or not unit else []
    for joint, word, power in words:
        by = float(power or 1) * (-1 if joint == "/" else 1)
        found = [one * other**by for one in found for other in KNOWN.get(word, ())]
    return found


def units_of(node: Node) -> list[str]:
    """The units of an expression, each once."""
    return list(dict.fromkeys(part.unit for part in walk(node) if isinstance(part, Number) and part.unit))


def converted(reference: Node, claim: Node) -> list[Node]:
    """The expression in the unit of its claim, by every meaning in which both sides are of one kind."""
    names, found = list(dict.fromkeys(["", *units_of(reference), *units_of(claim)])), list[Node]()
    if not isinstance(claim, Number) or len(names) == 1:
        return []
    for chosen in itertools.islice(itertools.product(*map(meanings, names)), MOST_MEANINGS):
        if isinstance(reference, Number) and np.ptp(chosen[names.index(reference.unit)]) == 0:
            continue  # 10k steps = 328M tokens
        quotient = Call("/", (reference, Number("1", -1, unit=claim.unit)))
        here, there = (mapped(quotient, partial(_scaled, dict(zip(names, worths)))) for worths in zip(*chosen))
        with suppress(Unreadable):
            found += [here] if np.allclose(evaluate(here, {}), evaluate(there, {}), rtol=NOISE, atol=0) else []
    return found


def _scaled(worth: dict[str, float], leaf: Number | Name) -> Node:
    """A number without its unit, times what that is worth."""
    if isinstance(leaf, Name):
        return leaf
    return Call("*", (leaf._replace(unit=""), Number(repr(float(worth[leaf.unit])), -1)))


def may_convert(claim: Number, value: float, reference: Node, strange: bool) -> bool:
    """Whether a number with a unit, which is not the value, may be right in a unit that the page does not say.

    So may a quotient made whole (100 / 8 = 13 batches), and a scale (4 cm = 2 km).
    """
    said, known = claim.printed.value, list[float]()
    with suppress(Unreadable):
        known = [float(evaluate(node, {})) for node in converted(reference, claim)]
    divides = not calls_in(reference).isdisjoint({"/", "//"})
    rest = divides and not claim.decimals and any(abs(one - said) < 1 for one in known or [value])
    near = any(1 / NEAR < one / (said or math.inf) < NEAR or slipped(claim.text, one) for one in known or [value])
    far = not near and (isinstance(reference, Number) or (strange and not known))
    scales = (by for one in SCALES for by in (one, 1 / one))
    scaled = (not verdict(claim.text, value * by, about=by < 1e-2).fails for by in scales)  # 800K is rough
    return not said or not value or rest or far or any(scaled)
