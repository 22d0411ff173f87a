"""What words say of a number: that it is the number before it in another unit, the sum of a list, a part of it, the
change between two. Each returns what the number must be; whether it is that, others decide.
"""

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np

from regard.audit import data
from regard.audit.evaluate import evaluate
from regard.audit.grammar import parse
from regard.audit.phrases import NUMERALS
from regard.audit.quantities import Quantity, Value, is_negative
from regard.audit.units import ONE, Unit, meanings
from regard.audit.verdict import slipped

NATS = 12  # numbers before one of bits
NEAR = 0.1  # as a share: one that is further off is that of something else
FAR = 20.0  # times off: then it is another thing that is meant


def said_by_words(claim: Quantity, text: str, ahead: str, pool: Sequence[Quantity]) -> Value | None:
    """What a number must be by the words right before it: the number before it in another unit, the sum or the mean of
    the list before it, or the change between the two numbers of its sentence."""
    last = pool[0] if pool and pool[0].paragraph == claim.paragraph else None
    if last is None:
        return None
    alone = len(pool) < 2 or pool[1].paragraph != claim.paragraph or text[pool[1].end : last.start].strip(" (")
    closed = "(" not in ahead or data.CLOSES.match(text[claim.end :])  # (95% CI) is no other word for 0.85
    if data.IN_OTHER_WORDS.fullmatch(ahead) and alone and closed:
        own = meanings(claim.number.unit) if claim.number.unit else []
        found = [Value(last.value * by, "restated", (last,), by) for by in restated(claim, last, own)]
        if (last.number.unit, claim.number.unit) == ("°C", "°F"):
            found.append(Value(last.value * 1.8 + 32, "a * 1.8 + 32", (last,)))
        near = [one for one in found if claim.value / FAR < one.value < claim.value * FAR]
        if near and not _is_a_share(claim, pool):
            return min(near, key=lambda one: abs(one.value - claim.value))
    run = [last]
    for q in pool[1:]:
        if q.paragraph != claim.paragraph or not data.LIST_GOES_ON.fullmatch(text[q.end : run[-1].start]):
            break
        run.append(q)
    whole = len({q.number.unit for q in run}) == 1 and len(run) > 2 and not data.HEDGED.search(ahead)
    named = data.OF_THE_LIST.search(ahead) if whole else None
    if named:
        total = math.fsum(q.value for q in run)
        mean = named[1].lower() in ("mean", "average")
        return Value(total / len(run) if mean else total, "mean" if mean else "sum", tuple(run[::-1]))
    start = max((found.end() for found in data.SENTENCE_END.finditer(text, 0, claim.start)), default=0)
    plain = [
        q for q in pool if q.paragraph == claim.paragraph and q.start >= start and not q.number.percent and q.value
    ]
    return _of_two(claim, text, ahead, plain) or _all_told(claim, ahead, plain) if len(plain) > 1 else None


def _of_two(claim: Quantity, text: str, ahead: str, plain: Sequence[Quantity]) -> Value | None:
    """What a number must be by what is said of the two before it: "from 79 tokens to 47, a saving of 32"."""
    b, a = plain[:2]
    places = {"before": text[: a.start], "between": text[a.end : b.start], "since": text[a.end : claim.start],
              "ahead": ahead, "behind": text[claim.end :]}  # fmt: skip
    alike = claim.number.unit in ("", a.number.unit, b.number.unit)  # what is left of something is of its kind
    hedged = data.HEDGED.search(ahead) is not None
    for saying in data.SAYINGS:
        fits = claim.number.percent == saying["formula"].endswith("%") and (len(plain) == 2 or not saying.get("two"))
        fits = fits and (alike or saying["formula"] != "a - b") and (saying.get("hedged") or not hedged)
        if fits and all(getattr(data, saying[at]).search(part) for at, part in places.items() if at in saying):
            formula, operands = saying["formula"].rstrip("%"), (b, a) if saying.get("turned") else (a, b)
            named = {name: np.asarray(q.value) for name, q in zip("ab", operands, strict=True)}
            value = abs(float(evaluate(parse(formula), named)))
            return Value(value, formula, operands, certain=saying.get("certain", False))
    return None


def _all_told(claim: Quantity, ahead: str, plain: Sequence[Quantity]) -> Value | None:
    """ "12480 letters, 7315 and 2205, altogether 22000": the sum of what a sentence counts."""
    alike = all(q.number.decimals == claim.number.decimals and q.nth >= 0 for q in plain)
    summed = data.ALTOGETHER.search(ahead) or (len(plain) > 2 and data.MAKE.fullmatch(ahead))
    if claim.number.percent or not alike or not summed or data.HEDGED.search(ahead):
        return None
    return Value(math.fsum(q.value for q in plain), "sum", tuple(plain[::-1]))


def _is_a_share(claim: Quantity, pool: Sequence[Quantity]) -> bool:
    """Whether a percentage is what the number before it is of another one: off by 0.06 from 9.81, that is 0.6 %."""
    last, reach = pool[0], claim.number.step * (0.5 + 1e-6)
    others = [q.value for q in pool[1:6] if q.value]
    return claim.number.percent and any(abs(last.value / value - claim.value) <= reach for value in others)


def of_so_many(claim: Quantity, texts: Sequence[str], before: Sequence[Quantity]) -> Value | None:
    """The sum or the mean of the four, where four numbers stand in a row, or are the last of their unit."""
    before_it = texts[claim.paragraph][: claim.start][-120:]
    said = data.OF_SO_MANY.search(before_it)
    turned = data.SO_MANY_SUM_TO.search(before_it)  # the four losses sum to
    words = (said[1], said[2]) if said else (turned[2], turned[1]) if turned else ("", "")
    said = said or turned
    if said is None or claim.tabled or data.HEDGED.search(said[0]) or data.OTHER_MEAN.search(before_it):
        return None
    if is_negative(claim, texts[claim.paragraph]):
        return None  # the numbers are read without their signs
    count, pool = NUMERALS.index(words[1].lower()), [q for q in before if q.nth >= 0 and q.section == claim.section]
    runs: list[list[Quantity]] = []
    for q in pool:
        last = runs[-1][-1] if runs else None
        joint = texts[q.paragraph][last.end : q.start] if last and last.paragraph == q.paragraph else "?"
        if data.LIST_GOES_ON.fullmatch(joint):
            runs[-1].append(q)
        else:
            runs.append([q])
    alike = [q for q in pool if q.number.unit and q.number.unit == claim.number.unit]
    results = [q for q in pool if texts[q.paragraph][: q.start].rstrip().endswith("=")]
    chosen = [run for run in (*runs, results[-count:], alike[-count:]) if _are_alike(run, count)]
    is_mean = words[0].lower() in ("mean", "average")
    totals = [math.fsum(q.value for q in run) / (count if is_mean else 1) for run in chosen]
    found = [Value(total, "mean" if is_mean else "sum", tuple(run)) for total, run in zip(totals, chosen, strict=True)]
    right = [one for one in found if abs(abs(one.value) - abs(claim.value)) <= claim.number.step * (count + 1) / 2]
    slips = [one for one in found if slipped(claim.number.text, abs(one.value) * (100 if claim.number.percent else 1))]
    near = [one for one in found if abs(claim.value) / 2 < abs(one.value) < abs(claim.value) * 2]
    beside = [one for one in near if claim.paragraph - one.operands[-1].paragraph <= 1]  # those just spoken of
    return next(iter(right or slips or beside[-1:]), None)


def of_parts(texts: Sequence[str], quantities: Sequence[Quantity], at: int) -> Value | None:
    """What is left of a whole for one of its two parts: "of the 9,800 healthy people, 98 test positive and 8,820 do
    not"."""
    text = texts[quantities[at].paragraph]
    for whole, first, second in ((at - 1, at, at + 1), (at - 2, at - 1, at)):
        if whole < 0 or second >= len(quantities):
            continue
        n, a, b = (quantities[place] for place in (whole, first, second))
        alike = len({(q.number.percent, q.number.decimals, q.nth >= 0) for q in (n, a, b)}) == 1
        here = alike and n.paragraph == a.paragraph == b.paragraph and a.value + b.value != n.value
        joints = (data.THEN_A_PART, text[n.end : a.start]), (data.AND_THE_OTHER, text[a.end : b.start])
        if (
            here
            and data.OF_A_WHOLE.search(text[: n.start][-30:])
            and all(says.fullmatch(part) for says, part in joints)
        ):
            other = b if at == first else a
            return Value(n.value - other.value, "a - b", (n, other))
    return None


def in_bits(claim: Quantity, before: Sequence[Quantity]) -> Value | None:
    """What the nats of a section come to in bits, where a number of bits is none of that, but what one comes to if it
    is multiplied instead of divided, or has slipped."""
    nats = [q for q in before[-NATS:] if q.number.unit == "nats" and q.section == claim.section]
    found = [Value(q.value / math.log(2), "restated", (q,), 1 / math.log(2)) for q in nats]
    if claim.number.unit != "bits" or any(abs(one.value - claim.value) <= claim.number.step * 2 for one in found):
        return None
    off = (one for one in found if abs(one.value * math.log(2) ** 2 - claim.value) <= claim.number.step / 2)
    long = len(claim.number.text.strip("0.")) > 3
    return next(off, None) or next((one for one in found if long and slipped(claim.number.text, one.value)), None)


def of_named(claim: Quantity, texts: Sequence[str], before: Sequence[Quantity]) -> Value | None:
    """The F1 of the precision and the recall that the section names last, where it is near the number that is said."""
    if not data.IS_F1.search(texts[claim.paragraph][: claim.start][-40:]):
        return None
    pool = [(q, texts[q.paragraph][: q.start][-60:]) for q in reversed(before) if q.section == claim.section]
    shares = [(q, ahead) for q, ahead in pool if 0 < q.value <= 1 and q.number.percent == claim.number.percent]
    named = [[q for q, ahead in shares if name.search(ahead)][:1] for name in (data.IS_PRECISION, data.IS_RECALL)]
    a, b = (q[0].value if q else 0.0 for q in named)
    value = 2 * a * b / (a + b) if a and b else 0.0
    near = abs(value - claim.value) < NEAR * value
    return Value(value, "2 * a * b / (a + b)", (*named[0], *named[1])) if near else None


def _are_alike(run: Sequence[Quantity], count: int) -> bool:
    """Whether these are so many numbers of one kind."""
    return len(run) == count and len({(q.number.unit, q.number.percent, q.number.decimals > 0) for q in run}) == 1


def restated(claim: Quantity, q: Quantity, own: Sequence[Unit]) -> Iterator[float]:
    """By what a number is multiplied to be said in the unit of the claim: seconds as hours, 8,030,000 as 8.03 M."""
    if claim.number.percent and not q.number.percent and not q.number.unit and q.number.decimals and 0 < q.value < 2:
        yield 1.0
    if not own or q.number.unit == claim.number.unit:
        return
    for one, other in itertools.product(meanings(q.number.unit) if q.number.unit else [ONE], own):
        if one.powers == other.powers and one.factor != other.factor:
            yield one.factor / other.factor
