"""What words say of a number: that it is the number before it in another unit, the sum of a list, a part of it, the
change between two. Each returns what the number must be; whether it is that, others decide.
"""

import itertools
import math
from collections.abc import Iterator, Sequence

from regard.audit import data
from regard.audit.phrases import NUMERALS
from regard.audit.quantities import Quantity, Value
from regard.audit.units import ONE, Unit, meanings
from regard.audit.verdict import slipped

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
    if found := _of_a_change(claim, text, ahead, plain) or _all_told(claim, text, ahead, plain):
        return found
    if not claim.number.percent and len(plain) > 1 and data.MAKES.fullmatch(ahead):
        joint = text[plain[1].end : plain[0].start]
        if data.EACH_OF.fullmatch(joint) and not data.HEDGED.search(text[start : plain[1].start]):
            return Value(plain[0].value * plain[1].value, "a * b", (plain[1], plain[0]))
    if not claim.number.percent or len(plain) != 2:
        return None
    of_these = data.OUT_OF.fullmatch(text[plain[1].end : plain[0].start]) and 0 < plain[1].value < plain[0].value
    if of_these and data.SHARE_FOLLOWS.fullmatch(ahead) and not data.HEDGED.search(ahead):
        part = plain[1].value / plain[0].value
        near = min(part, 1 - part, key=lambda one: abs(one - claim.value))
        return Value(part, "a / b", (plain[1], plain[0])) if near == part else None
    small, large = sorted(plain, key=lambda q: q.value)
    share = Value(small.value / large.value, "a / b", (small, large))
    came_from = text[plain[1].end : plain[0].start].rstrip().endswith("from")  # 5.10, down from 6.00
    new, old = (plain[1], plain[0]) if came_from else (plain[0], plain[1])
    change = Value(abs(new.value / old.value - 1), "(a - b) / b", (new, old))
    if data.OF_A_CHANGE.search(ahead):
        apart = small.value * 2 < large.value and data.SAYS_MORE.search(text[start : claim.start])
        return share if apart else change
    if ahead.endswith("("):
        off = [one for one in (share, change) if abs(one.value - claim.value) > claim.number.step * 1.5]
        return share if len(off) == 2 else None
    return None


def _of_a_change(claim: Quantity, text: str, ahead: str, plain: Sequence[Quantity]) -> Value | None:
    """ "from 79 tokens to 47, a saving of 32", "from 520 to 624, which is 20 percent more"."""
    if len(plain) < 2 or not data.TO.fullmatch(text[plain[1].end : plain[0].start]):
        return None
    if not data.FROM.search(text[: plain[1].start]) or data.HEDGED.search(ahead):
        return None
    more = data.MORE.match(text[claim.end :])
    if claim.number.percent and (more or data.CHANGES_BY.search(ahead)):
        return Value(abs(plain[0].value / plain[1].value - 1), "(a - b) / b", (plain[0], plain[1]))
    same = claim.number.unit in (plain[0].number.unit, plain[1].number.unit, "")
    if not claim.number.percent and same and (more or data.CHANGES_BY.search(ahead)):
        return Value(abs(plain[1].value - plain[0].value), "a - b", (plain[1], plain[0]))
    return None


def _all_told(claim: Quantity, text: str, ahead: str, plain: Sequence[Quantity]) -> Value | None:
    """ "12480 letters, 7315 and 2205, altogether 22000": the sum of what a sentence counts; and what is shared out."""
    if claim.number.percent or len(plain) < 2:
        return None
    between = text[plain[1].end : claim.start]
    if data.EACH_GETS.match(text[claim.end :]) and data.SHARED_OUT.search(between) and data.A_COUNT.search(ahead):
        return Value(plain[1].value / plain[0].value, "a / b", (plain[1], plain[0]), certain=True)
    if data.PRICED_AT.fullmatch(text[plain[1].end : plain[0].start]) and data.MAKES.fullmatch(ahead):
        return Value(plain[0].value * plain[1].value, "a * b", (plain[1], plain[0]))
    units = {q.number.unit for q in (*plain, claim)}
    leaves = data.LEAVES.search(ahead) or data.ARE_NOT.match(text[claim.end :])
    if len(plain) == 2 and leaves and (len(units) == 1 or data.ARE_NOT.match(text[claim.end :])):
        large, small = sorted(plain, key=lambda q: -q.value)
        return Value(large.value - small.value, "a - b", (large, small))
    alike = [q for q in plain if q.number.decimals == claim.number.decimals and q.nth >= 0]
    summed = data.ALTOGETHER.search(ahead) or (len(plain) > 2 and data.MAKE.fullmatch(ahead))
    if len(alike) == len(plain) and summed and not data.HEDGED.search(ahead):
        return Value(math.fsum(q.value for q in plain), "sum", tuple(plain[::-1]))
    return None


def _is_a_share(claim: Quantity, pool: Sequence[Quantity]) -> bool:
    """Whether a percentage is what the number before it is of another one: off by 0.06 from 9.81, that is 0.6 %."""
    last, reach = pool[0], claim.number.step * (0.5 + 1e-6)
    others = [q.value for q in pool[1:6] if q.value]
    return claim.number.percent and any(abs(last.value / value - claim.value) <= reach for value in others)


def of_so_many(claim: Quantity, texts: Sequence[str], before: Sequence[Quantity]) -> Value | None:
    """The sum or the mean of the four, where four numbers stand in a row, or are the last of their unit."""
    before_it = texts[claim.paragraph][: claim.start][-120:]
    said = data.OF_SO_MANY.search(before_it)
    if said is None or claim.tabled or data.HEDGED.search(said[0]) or data.OTHER_MEAN.search(before_it):
        return None
    count, pool = NUMERALS.index(said[2].lower()), [q for q in before if q.nth >= 0 and q.section == claim.section]
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
    is_mean = said[1].lower() in ("mean", "average")
    totals = [math.fsum(q.value for q in run) / (count if is_mean else 1) for run in chosen]
    found = [Value(total, "mean" if is_mean else "sum", tuple(run)) for total, run in zip(totals, chosen, strict=True)]
    right = [one for one in found if abs(abs(one.value) - abs(claim.value)) <= claim.number.step * (count + 1) / 2]
    slips = [one for one in found if slipped(claim.number.text, abs(one.value) * (100 if claim.number.percent else 1))]
    beside = [one for one in found if claim.paragraph - one.operands[-1].paragraph <= 1]  # those just spoken of
    return next(iter(right or slips or beside[-1:]), None)


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
