"""What a printed number is worth beside the number it should be; nothing here knows of pages.

- *exact*      the printed number is the value
- *rounded*    it is the value rounded at the last printed digit
- *truncated*  the digits were cut off: forgiven for a tie (.6045 printed .604) or if the whole row was cut
- *wrong*      none of these

A row is judged as a whole, because nobody rounds one number and cuts off the next: .26 for .269278 is a slip when
its neighbours are rounded, and a habit when they are cut too.
"""

import math
import re
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

NOISE = 1e-9  # floats do not add up: 0.1 * 0.1 + 0.2 is not 0.21, and no reader minds
LOST = 4  # digits that a number must still have to have lost one
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?")


class Verdict(StrEnum):
    """What can be said about a claim. The last four are failures, of four kinds that are counted apart.

    A sentence fails as *not so* where it could hold elsewhere, and as *overstated* where it holds with a condition that
    it leaves out; only a printed number is *wrong*.
    """

    exact = "exact"
    rounded = "rounded"
    truncated = "truncated"
    wrong = "wrong"
    cannot_run = "cannot run"
    not_so = "not so in this model"
    overstated = "overstated"

    @property
    def fails(self) -> bool:
        """Whether a page with this verdict fails its audit."""
        return self not in (Verdict.exact, Verdict.rounded, Verdict.truncated)


class Printed(NamedTuple):
    """A number as a page prints it: its value, and the worth of one step of its last digit.

    >>> Printed.read("0.50"), Printed.read("589,824").value, Printed.read("−.5").value
    (Printed(value=0.5, unit=0.01), 589824.0, -0.5)
    """

    value: float
    unit: float

    @staticmethod
    @lru_cache(maxsize=50_000)  # a page repeats its numbers, and every rule reads them again
    def read(text: str, about: bool = False) -> "Printed":
        """Read digits, thousands separators and signs; with `about`, closing zeros of a whole number are no digits."""
        plain = text.strip().rstrip("%").replace("−", "-").replace(",", "").replace("_", "").replace(" ", "")
        if not NUMBER.fullmatch(plain):
            raise ValueError(f"{text!r} is not a printed number; expected digits such as 0.25, 1,024 or 3e-4")
        mantissa, _, exponent = plain.lower().partition("e")
        digits = mantissa.lstrip("+-")
        places = len(digits.partition(".")[2])
        if about and "." not in digits and digits.strip("0"):
            places = -(len(digits) - len(digits.rstrip("0")))
        return Printed(float(plain), 10.0 ** (int(exponent or 0) - places))


def verdict(
    printed: str, computed: float, *, low: float | None = None, high: float | None = None, about: bool = False
) -> Verdict:
    """Judge one printed number: a row of one, so cutting its digits off is forgiven.

    >>> [verdict(p, 0.6045).value for p in ("0.6045", "0.605", "0.604", "0.60", "0.603")]
    ['exact', 'rounded', 'truncated', 'rounded', 'wrong']
    """
    spread = None if low is None or high is None else [(low, high)]
    return row_verdicts([printed], [computed], spread=spread, about=about)[0]


def row_verdicts(
    printed: Sequence[str],
    computed: Sequence[float],
    *,
    spread: Sequence[tuple[float, float]] | None = None,
    about: bool = False,
) -> list[Verdict]:
    """Judge a row of printed numbers, where truncation must be the habit of the whole row.

    `spread` is how far each value may lie off because what it was computed from was printed rounded; `about` is for a
    page that says "roughly": 590,000 is then right for 589,824.

    >>> fox = [0.227294, 0.215346, 0.288082, 0.269278]
    >>> [v.value for v in row_verdicts(["0.23", "0.22", "0.29", "0.26"], fox)]
    ['rounded', 'rounded', 'rounded', 'wrong']
    >>> [v.value for v in row_verdicts(["0.22", "0.21", "0.28", "0.26"], fox)]
    ['truncated', 'truncated', 'truncated', 'truncated']
    """
    if len(printed) != len(computed):
        raise ValueError(f"{len(printed)} printed numbers beside {len(computed)} computed; expected as many of each")
    numbers = [Printed.read(text, about) for text in printed]
    spreads = spread if spread is not None else [(value, value) for value in computed]
    found = [alone(number, value, *ends) for number, value, ends in zip(numbers, computed, spreads, strict=True)]
    if Verdict.wrong in found and all(_is_cut(number, *ends) for number, ends in zip(numbers, spreads, strict=True)):
        return [Verdict.truncated if v is Verdict.wrong else v for v in found]
    return found


def alone(number: Printed, value: float, low: float | None = None, high: float | None = None) -> Verdict:
    """The verdict that needs no neighbours: everything but a habit of cutting."""
    low, high = value if low is None else low, value if high is None else high
    if not (math.isfinite(value) and math.isfinite(low) and math.isfinite(high)):
        return Verdict.exact if number.value == value else Verdict.wrong
    noise = _noise(number, value)
    if abs(number.value - value) <= noise:
        return Verdict.exact
    dropped = abs(value) - abs(number.value)
    if number.value * value >= 0 and abs(dropped - number.unit / 2) <= noise:
        return Verdict.truncated  # exactly half a unit: .6045 printed .604, which half-even would print too
    half = number.unit / 2 + noise
    return Verdict.rounded if low - half <= number.value <= high + half else Verdict.wrong


def slipped(printed: str, computed: float) -> bool:
    """Whether a number is the computed one but for one digit, for two neighbours, or for a digit that got lost.

    >>> slipped("5,500", 5600.0), slipped("25,476", 24576.0), slipped("4.5", 2.5), slipped("35", 40.0)
    (True, True, True, False)
    >>> slipped("39,216", 393216.0)
    True
    """
    said, _, exponent = printed.strip().rstrip("%").replace("−", "-").replace(",", "").partition("e")
    computed /= float(f"1e{exponent or 0}")
    found = f"{computed:.{len(said.partition('.')[2])}f}"
    said, found = said.replace(".", ""), found.replace(".", "")
    differ = [at for at, (one, other) in enumerate(zip(said, found, strict=False)) if one != other]
    close = len(differ) == 2 and differ[1] - differ[0] == 1
    swapped = close and (sorted(said) == sorted(found) or len(said) > 3)
    if len(said) == len(found) - 1 >= LOST and not exponent:
        return any(found[:at] + found[at + 1 :] == said for at in range(len(found)))
    return len(said) == len(found) > 1 and (len(differ) == 1 or swapped)


def _noise(number: Printed, value: float) -> float:
    """How far a float may be off before it is another number."""
    return NOISE * max(abs(value), min(number.unit, 1.0))


def _is_cut(number: Printed, low: float, high: float) -> bool:
    """Whether the printed digits are those of a value in [low, high], with the rest cut off."""
    noise, printed = _noise(number, high), number.value
    if high <= noise and printed <= 0:
        low, high, printed = -high, -low, -printed
    return low - number.unit + noise < printed <= high + noise
