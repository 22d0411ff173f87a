"""The rules that need no page: what a printed number is worth beside the number it should be."""

import math
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from regard.audit.verdict import Printed, Verdict, row_verdicts, verdict


@pytest.mark.parametrize(
    "printed, computed, expected",
    [
        ("0.66", 0.6600000000000001, Verdict.exact),
        ("0.605", 0.6045, Verdict.rounded),  # a tie, half up
        ("0.604", 0.6045, Verdict.truncated),  # a tie, cut (half even would print it too)
        ("0.606", 0.6055, Verdict.rounded),
        ("0.605", 0.6055, Verdict.truncated),
        ("0.27", 0.269278, Verdict.rounded),
        ("0.26", 0.269278, Verdict.truncated),  # alone, it is a whole row that was cut
        ("0.28", 0.269278, Verdict.wrong),
        ("0.25", 0.269278, Verdict.wrong),
        ("-1.39", -1.386294, Verdict.rounded),
        ("−1.38", -1.386294, Verdict.truncated),
        ("1.386", -1.386294, Verdict.wrong),
        ("-0.1", 0.1, Verdict.wrong),
        ("589,824", 589824.0, Verdict.exact),
        ("0", 0.1 + 0.2 - 0.3, Verdict.exact),
        (".5", 0.5, Verdict.exact),
        ("1.2e-3", 0.00118, Verdict.rounded),
        ("3", 1e300, Verdict.wrong),
        ("1", math.inf, Verdict.wrong),
    ],
)
def test_one_number(printed: str, computed: float, expected: Verdict) -> None:
    assert verdict(printed, computed) is expected


def test_one_rounded_neighbour_makes_a_cut_number_wrong() -> None:
    computed = [0.227294, 0.215346, 0.288082, 0.269278]
    assert row_verdicts(["0.23", "0.22", "0.29", "0.26"], computed)[-1] is Verdict.wrong
    assert row_verdicts(["0.22", "0.21", "0.28", "0.26"], computed) == [Verdict.truncated] * 4


def test_a_tie_is_forgiven_beside_rounded_neighbours() -> None:
    assert row_verdicts(["0.67", "0.604"], [2 / 3, 0.6045]) == [Verdict.rounded, Verdict.truncated]


def test_roughly_lets_closing_zeros_go() -> None:
    assert verdict("590,000", 589_824) is Verdict.wrong
    assert verdict("590,000", 589_824, about=True) is Verdict.rounded
    assert verdict("580,000", 589_824, about=True).fails is False  # cut at the last digit that counts
    assert verdict("600,001", 589_824, about=True) is Verdict.wrong


def test_a_spread_widens_what_is_rounded() -> None:
    assert row_verdicts(["0.27"], [0.2649], spread=[(0.2649, 0.2649)]) == [Verdict.wrong]
    assert row_verdicts(["0.27"], [0.2649], spread=[(0.2640, 0.2655)]) == [Verdict.rounded]


def test_rows_must_have_one_length() -> None:
    with pytest.raises(ValueError, match="shorter"):
        row_verdicts(["1", "2"], [1.0])


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="is not a printed number"):
        Printed.read("cat")


values = st.decimals(min_value=-1000, max_value=1000, places=6).map(float)


@given(values, st.integers(0, 5))
def test_a_rounded_number_is_never_wrong(value: float, places: int) -> None:
    assert not verdict(f"{value:.{places}f}", value).fails


@given(values, st.integers(1, 5), st.integers(1, 50), st.sampled_from([-1, 1]))
def test_a_number_off_by_a_unit_is_wrong(value: float, places: int, units: int, sign: int) -> None:
    """Off by one unit or more from the rounded number, and not what cutting the digits off would give."""
    off = Fraction(f"{value:.{places}f}") + Fraction(sign * units, 10**places)
    assume(not (off.numerator * value >= 0 and 0 <= abs(Fraction(value)) - abs(off) < Fraction(1, 10**places)))
    assume(off != 0 and abs(abs(off - Fraction(value)) * 2 * 10**places - 1) > 1e-6)  # a tie may go either way
    assert verdict(f"{float(off):.{places}f}", value) is Verdict.wrong
