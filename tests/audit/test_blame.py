"""Where two things do not agree, the one that is wrong is named, and what only follows from it is not."""

import pytest

from regard.audit.page import audit


def failures(text: str, name: str = "page.md") -> list[tuple[int, str]]:
    return [(finding.line, finding.claimed) for finding in audit(text, name).failures]


PARTS = (
    "| part | parameters |\n|---|---:|\n| layers | {} |\n| embedding | 16,384,000 |\n| norm | 512 |\n| Total | {} |\n"
)
SEEDS = (
    "| model | s1 | s2 | s3 | s4 |\n|---|---|---|---|---|\n| a | 71.8 | 72.4 | 71.1 | 71.5 |\n"
    "| b | 73.0 | 72.2 | 73.5 | 72.6 |\n| c | 71.9 | 72.3 | 71.2 | 72.8 |\n| d | 73.6 | 74.1 | 73.2 | 73.5 |\n"
)
CACHE = (
    "| model | layers | heads | width | bytes |\n|---|---|---|---|---|\n| s | 16 | 8 | 64 | 32,768 |\n"
    "| m | 32 | 8 | 128 | 131,072 |\n| l | 80 | 8 | 128 | 163,840 |\n"
)


def test_a_total_is_not_wrong_where_a_part_has_two_digits_exchanged():
    assert failures(PARTS.format("25,174,016", "41,558,528")) == []
    assert failures(PARTS.format("25,147,016", "41,558,528")) == []
    assert failures(PARTS.format("25,174,016", "41,558,582")) == [(6, "41,558,582")]


@pytest.mark.parametrize("text", [SEEDS, CACHE])
def test_numbers_of_one_size_and_factors_of_two_rows_prove_nothing(text: str):
    assert failures(text) == []


def test_what_is_made_of_a_rounded_name_may_be_off_by_that():
    assert failures("$a = \\sigma(z) = \\frac{1}{1 + e^{-0.2}} = 0.5498$\n\n$L = -\\ln a = 0.5981$") == []
    assert failures("The rise takes t = 13.25 / 9.81 = 1.351 s, so 2 t = 2.701 s.") == []


def test_a_percentage_that_lacks_a_factor_is_no_crash():
    assert failures("18 / 65 × 100 = 27.7 %") == [] and failures("18 / 65 × 100 = 21.7 %") == [(1, "21.7%")]


def test_a_cell_that_its_row_goes_on_with_is_not_the_wrong_one():
    rows = "| le | 1.0 | 0.577 | 1.781 | 0.253 |\n| chat | {} | 1.328 | 3.773 | 0.535 |\n"
    rows += "| dort | 0.7 | 0.404 | 1.498 | 0.212 |\n"
    text = "| token | q·k | q·k / √3 | exp | weight |\n|---|---|---|---|---|\n" + rows
    assert failures(text.format("2.3")) == [] and failures(text.format("1.9")) == []


@pytest.mark.parametrize(
    "text",
    [
        "3 * 1.41421 = 4.24624.\n\nTwice that is 2 * 4.24624 = 8.48526.",
        "3 * 1.41421 = 4.24624.\n\n| once | twice |\n|---|---|\n| 4.24624 | 2 * 4.24624 = 8.48526 |",
    ],
)
def test_what_goes_on_from_a_wrong_number_as_if_it_were_right_is_not_wrong_too(text: str):
    assert failures(text) == [(1, "4.24624")]
