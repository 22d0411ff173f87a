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


INVOICE = "| item | price |\n|---|---:|\n| desk | 189.00 |\n| lamp | 74.60 |\n| Sum | {} |\n| Discount 15 % | −{} |\n"


def test_a_total_below_a_rate_of_something_else_is_not_blamed():
    assert failures(INVOICE.format("263.60", "39.54") + "| To pay | 224.06 |\n") == []
    assert failures(INVOICE.format("263.60", "39.54") + "| To pay | 242.06 |\n") == [(7, "242.06")]
    assert failures(INVOICE.format("263.60", "35.94") + "| To pay | 224.06 |\n") == []


def test_a_swapped_digit_among_exact_weights_is_no_rounding():
    rows = (
        "| token | score | softmax |\n|---|---|---|\n| a | 1.75 | 0.3771 |\n| b | 0.75 | {} |\n| c | 2.00 | 0.4842 |\n"
    )
    assert failures(rows.format("0.1387")) == [] and failures(rows.format("0.1378")) == [(4, "0.1378")]


def test_a_point_in_the_wrong_place_is_a_slip():
    rows = "| rate | minutes |\n|---|---|\n| 1% | 432.0 |\n| 0.5% | 216.0 |\n| 0.1% | 43.2 |\n| 0.05% | 21.6 |\n"
    assert failures(rows + "| 0.02% | 8.64 |\n") == []


def test_dots_lead_from_an_item_to_its_price():
    text = "Museum ........ EUR 201.50\nStaff ......... EUR 22.00\nTour .......... EUR 150.00\nTotal ......... EUR {}\n"
    assert failures(text.format("373.50"), "x.txt") == [] and failures(text.format("337.50"), "x.txt") == [
        (4, "337.50")
    ]


def test_what_goes_on_from_words_is_left_alone():
    assert failures("−1.5 − 5 − 6 = −12.5, times 2/3 = −8.3333.") == []
    assert failures("2 * 32 layers * 8 heads * 128 dims * 2 bytes = 65536 bytes") == [(1, "65536")]


def test_where_more_goes_on_from_a_total_a_part_of_it_is_wrong():
    bill = "| item | amount |\n|---|---|\n| energy | {} |\n| charge | 16.47 |\n| Subtotal | {} |\n"
    rest = "| VAT | 9.83 |\n| To pay | 206.50 |\n"
    assert failures(bill.format("180.20", "196.67") + rest) == []
    assert failures(bill.format("182.20", "196.67") + rest) == []  # whose slip it is nobody knows, but not the total's
    assert failures(bill.format("180.20", "198.67") + rest) == [(5, "198.67")]


def test_a_claim_by_a_name_is_one_of_its_own_line():
    assert failures("Z = [1, 2]\n\n[1, 3] * 2 = array(Z)\n") == [(3, "1"), (3, "2")]


def test_rounding_goes_through_a_name():
    text = "w = [0.269, 0.731]\n\nw · [1.5, 0.5] = {}\n"
    assert failures(text.format("0.769")) == [] and failures(text.format("0.7685")) == []
    assert failures(text.format("0.796")) == [(3, "0.796")]
