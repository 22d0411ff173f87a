"""How an expression is written: parentheses, signs, long sums, small and large numbers."""

import math

import numpy as np
import pytest

from regard.ops.expression import Call, Leaf, Number, Sum, abridged, erf, exp, leaves, log, sqrt, tanh, total, where
from regard.ops.notation import format_constant, format_number, latex, numpy, text


def cell(value, name="x"):
    return Leaf(name, value)


A, B, C = cell(0.25), cell(-0.5), cell(2.0)


@pytest.mark.parametrize(
    "expression, as_text, as_latex",
    [
        (A * B, "0.25·(-0.50)", r"0.25 \cdot (-0.50)"),
        (B * A, "(-0.50)·0.25", r"(-0.50) \cdot 0.25"),
        (A - B, "0.25 − (-0.50)", "0.25 - (-0.50)"),
        (A + B, "0.25 + (-0.50)", "0.25 + (-0.50)"),
        (B + A, "-0.50 + 0.25", "-0.50 + 0.25"),
        (A - (B - C), "0.25 − ((-0.50) − 2.00)", "0.25 - ((-0.50) - 2.00)"),
        (A / (B * C), "0.25 / ((-0.50)·2.00)", r"\frac{0.25}{((-0.50) \cdot 2.00)}"),
        ((A + B) * C, "(0.25 + (-0.50))·2.00", r"(0.25 + (-0.50)) \cdot 2.00"),
        (-(A * C), "−0.25·2.00", r"-0.25 \cdot 2.00"),
        (A * -C, "0.25·(−2.00)", r"0.25 \cdot (-2.00)"),
        (exp(A), "e^0.25", "e^{0.25}"),
        (exp(A - C), "e^(0.25 − 2.00)", "e^{0.25 - 2.00}"),
        (-log(A), "−ln 0.25", r"-\ln\left(0.25\right)"),
        (sqrt(A + Number(0.5)), "√(0.25 + 0.5)", r"\sqrt{0.25 + 0.5}"),
        (A / sqrt(Number(2.0)), "0.25 / √2", r"\frac{0.25}{\sqrt{2}}"),
        (tanh(B), "tanh(-0.50)", r"\tanh\left(-0.50\right)"),
        (erf(A), "erf(0.25)", r"\operatorname{erf}\left(0.25\right)"),
    ],
)
def test_an_expression_reads_as_it_should(expression, as_text, as_latex):
    assert text(expression) == as_text
    assert latex(expression) == as_latex
    assert math.isclose(eval(numpy(expression), {"np": np}), expression.value, rel_tol=1e-14)


@pytest.mark.parametrize(
    "value, decimals, written",
    [
        (0.75, 4, "0.7500"),
        (-0.5, 2, "-0.50"),
        (0.0, 4, "0.0000"),
        (1.234e-5, 4, "1.234e-05"),
        (12345678.9, 4, "1.235e+07"),
        (math.inf, 4, "∞"),
        (-math.inf, 4, "-∞"),
        (math.nan, 4, "not a number"),
        (0.004, 4, "0.0040"),
    ],
)
def test_numbers_are_written_so_that_small_ones_do_not_vanish(value, decimals, written):
    assert format_number(value, decimals) == written


def test_constants_are_as_short_as_can_be():
    assert [format_constant(v) for v in (2.0, 0.5, -1.0, 0.044715, 1e20, -math.inf)] == [
        "2",
        "0.5",
        "-1",
        "0.044715",
        "1e+20",
        "-∞",
    ]


def long_sum(count):
    values = np.array([(-1) ** i * (i + 1) / 10 for i in range(count)])
    return Sum(values, lambda i: Leaf(("x", i), float(values[i])))


def test_a_long_sum_shows_its_largest_terms_in_order_and_how_many_more_there_are():
    assert text(long_sum(30), most_terms=3) == "-2.80 + 2.90 + (-3.00) + … 27 more"
    assert latex(long_sum(30), most_terms=3) == r"-2.80 + 2.90 + (-3.00) + \dots 27\text{ more}"
    shown = abridged(long_sum(30), 3)
    assert isinstance(shown, Call)
    assert math.isclose(shown.value, long_sum(30).value)
    assert [leaf.cell[1] for leaf in leaves(shown)] == [27, 28, 29]


def test_one_more_term_is_shown_rather_than_counted():
    assert text(long_sum(4), most_terms=3) == "0.10 + (-0.20) + 0.30 + (-0.40)"
    assert "… 2 more" in text(long_sum(5), most_terms=3)
    assert "more" not in text(long_sum(30), most_terms=None)


def test_very_long_sums_are_code_that_python_can_still_parse():
    expression = long_sum(20_000)
    assert eval(numpy(expression), {"np": np}) == pytest.approx(expression.value, abs=1e-9)


def test_a_sum_of_one_has_no_plus_and_a_sum_of_none_is_zero():
    assert text(total([A])) == "0.25"
    assert text(total([])) == "0"


def test_only_the_branch_that_was_taken_is_shown():
    assert where(cell(1.0), A, B) is A
    assert where(cell(0.0), A, B) is B
    assert where(cell(0.0), A, -math.inf) == Number(-math.inf)


def test_infinite_and_absent_numbers_are_code_too():
    assert eval(numpy(Number(-math.inf)), {"np": np}) == -math.inf
    assert math.isnan(eval(numpy(Number(math.nan)), {"np": np}))
    assert eval(numpy(exp(cell(-math.inf))), {"np": np}) == 0.0


def test_the_cells_of_an_expression_come_once_in_reading_order():
    p, q = cell(1.0, "p"), cell(2.0, "q")
    assert (q * p + q).cells == ("q", "p")


def test_a_share_of_005_that_was_computed_is_not_written_as_a_power_of_ten():
    assert format_number(0.05 - 7e-18, 2) == "0.05"
    assert format_number(0.04999, 2) == "0.050"


def test_powers_of_ten_are_powers_of_ten_in_latex():
    assert latex(cell(1.2346e-7) * cell(-3e9)) == r"1.235 \cdot 10^{-7} \cdot (-3.000 \cdot 10^{9})"
