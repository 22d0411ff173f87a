"""What a printed number is worth beside the number it should be; nothing here knows of pages."""

import math
import re
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

NOISE, LOST = 1e-9, 4  # floats do not add up, and no reader minds; digits that a number with a lost one still has
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(?:[eE]([+-]?\d{1,9}))?")
UNMARKED = str.maketrans({"−": "-", ",": "", "_": "", " ": "", "%": ""})


class Verdict(StrEnum):
    """What can be said about a claim; the last four are failures."""

    exact = "exact"
    rounded = "rounded"  # at the last printed digit
    truncated = "truncated"  # digits were cut off: forgiven for a tie (.6045 printed .604) or if the whole row was cut
    wrong = "wrong"
    cannot_run = "cannot run"
    not_so = "not so in this model"  # a sentence that could hold elsewhere
    overstated = "overstated"  # and one that holds with a condition that it leaves out

    @property
    def fails(self) -> bool:
        """Whether a page that claims this fails its audit."""
        return self not in (Verdict.exact, Verdict.rounded, Verdict.truncated)


class Printed(NamedTuple):
    """A number as a page prints it: its value, the worth of one step of its last digit, the digits behind its point."""

    value: float
    unit: float
    decimals: int = 0

    @staticmethod
    @lru_cache(maxsize=50_000)  # a page repeats its numbers, and every rule reads them again
    def read(text: str, about: bool = False) -> "Printed":
        """Read digits, thousands separators and signs; with `about`, closing zeros of a whole number are no digits."""
        found = NUMBER.fullmatch(text.strip().translate(UNMARKED))
        if not found:
            raise ValueError(f"{text!r} is not a printed number; expected digits such as 0.25, 1,024 or 3e-4")
        digits, decimals = found[1], len(found[1].partition(".")[2])
        zeros = len(digits) - len(digits.rstrip("0")) if about and "." not in digits and digits.strip("0") else 0
        power = int(found[2] or 0) - decimals + zeros
        return Printed(float(found[0]), float(f"1e{power}"), decimals)  # 1e999 is infinite


def verdict(printed: str, computed: float, *, about: bool = False) -> Verdict:
    """Judge one printed number: a row of one, so cutting its digits off is forgiven."""
    return row_verdicts([printed], [computed], about=about)[0]


def row_verdicts(
    printed: Sequence[str], computed: Sequence[float], spread: Sequence[tuple[float, float]] = (), about: bool = False
) -> list[Verdict]:
    """Judge a row of printed numbers, where truncation must be the habit of the whole row. `spread` is how far each
    value may lie off because of what it was computed from; `about` lets closing zeros go."""
    numbers = [Printed.read(text, about) for text in printed]
    rows = list(zip(numbers, computed, spread or zip(computed, computed, strict=True), strict=True))
    found = [_alone(number, value, *ends) for number, value, ends in rows]
    if Verdict.wrong in found and Verdict.wrong not in [_alone(n, value, *ends, cut=True) for n, value, ends in rows]:
        return [Verdict.truncated if given is Verdict.wrong else given for given in found]
    return found


def _alone(number: Printed, value: float, low: float, high: float, *, cut: bool = False) -> Verdict:
    """The verdict that needs no neighbours; what is `cut` is what was rounded, half a step further out."""
    off, half, noise = number.value - value, number.unit / 2, NOISE * max(abs(value), min(number.unit, 1.0))
    if off == 0 or abs(off) <= noise < math.inf:
        return Verdict.exact
    if off * value <= 0 and abs(abs(off) - half) <= noise < math.inf:
        return Verdict.truncated  # exactly half a step: .6045 printed .604, which half-even would print too
    said, reach = (number.value + math.copysign(half, value), half - noise) if cut else (number.value, half + noise)
    near = low - reach <= said <= high + reach
    return Verdict.rounded if near and math.isfinite(high - low) else Verdict.wrong


def is_mixed(printed: str, computed: float) -> bool:
    """Whether a number has the digits of the computed one in another order, which is no accident."""
    said, meant = (re.sub(r"\D", "", text) for text in (printed, f"{abs(computed):.{Printed.read(printed).decimals}f}"))
    return len(said) > 3 and said != meant and sorted(said) == sorted(meant)


def slipped(printed: str, computed: float, *, strictly: bool = False) -> bool:
    """Whether a number is the computed one but for a digit, two neighbours (swapped if `strictly`), or a lost point."""
    number = Printed.read(printed)
    if not 0 < number.unit < math.inf or not math.isfinite(computed):
        return False
    if any(abs(number.value * by - computed) <= number.unit * by / 2 for by in (0.1, 10)):
        return len(re.sub(r"\D", "", printed).strip("0")) > 1
    width = 1 + number.decimals
    said, found = (f"{value / number.unit:.0f}".zfill(width + (value < 0)) for value in (number.value, computed))
    if len(said) == len(found) - 1 >= LOST:
        return any(found[:at] + found[at + 1 :] == said for at in range(len(found)))
    differ = [at for at, (one, other) in enumerate(zip(said, found)) if one != other]
    both = len(differ) == 2 and differ[1] - differ[0] == 1
    swapped = both and (sorted(said) == sorted(found) or (len(said) > 3 and not strictly))
    return len(said) == len(found) > 1 and (len(differ) == 1 or swapped)
