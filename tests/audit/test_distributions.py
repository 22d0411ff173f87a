"""Tables of shares: every row sums to 1, or the one that does not has a slip."""

import pytest

from regard.audit.page import audit

HEADER = "| word | The | cat | sat | on |\n|---|---|---|---|---|\n"
ROWS = [
    "| The | 0.41 | 0.22 | 0.25 | 0.12 |",
    "| cat | 0.31 | 0.14 | 0.50 | 0.05 |",
    "| sat | 0.09 | 0.33 | 0.45 | 0.13 |",
]


def failures(text: str) -> list[tuple[int, str, str]]:
    return [(found.line, found.claimed, found.computed) for found in audit(text).failures]


def table(*rows: str) -> str:
    return HEADER + "\n".join(rows)


def test_rows_that_sum_to_one_are_right():
    found = audit(table(*ROWS))
    assert not found.failures and sum("sums to 1" in one.what for one in found.findings) == 3


@pytest.mark.parametrize("row", ["| on | 0.62 | 0.03 | 0.19 | 0.26 |", "| on | 62 % | 3 % | 19 % | 26 % |"])
def test_the_one_that_does_not_is_wrong(row):
    assert failures(table(*ROWS, row)) == [(6, "1", "1.1")]


def test_digits_in_another_order():
    rows = ["| 0.5 | 0.9271 | 0.0689 | 0.0034 | 0.0006 |", "| 1 | 0.7363 | 0.2007 | 0.0448 | 0.0182 |"]
    wrong = "| 2 | 0.5192 | 0.2117 | 0.1280 | 0.0816 |"  # 0.2711
    assert failures(table(*rows, wrong)) == [(5, "1", "0.9405")]


def test_what_is_hidden_counts_for_nothing():
    rows = ["| The | 1.00 | – | – | – |", "| cat | 0.40 | 0.60 | – | – |", "| sat | 0.20 | 0.30 | 0.50 | – |"]
    assert failures(table(*rows, "| on | 0.10 | 0.20 | 0.30 | 0.40 |")) == []
    assert failures(table(*rows, "| on | 0.10 | 0.20 | 0.80 | 0.40 |")) == [(6, "1", "1.5")]


def test_shares_down_the_columns():
    text = "| word | first | second | third |\n|---|---|---|---|\n| The | 0.21 | 0.05 | 0.30 |\n"
    text += "| cat | 0.33 | 0.45 | 0.12 |\n| sat | 0.46 | 0.50 | 0.68 |"
    (found,) = audit(text).failures
    assert found.computed == "1.1"


@pytest.mark.parametrize(
    "rows",
    [
        ["| a | 0.91 | 0.88 | 0.79 | 0.93 |", "| b | 0.85 | 0.80 | 0.75 | 0.90 |", "| c | 0.70 | 0.60 | 0.50 | 0.99 |"],
        ["| a | 0.40 | 0.30 | 0.20 | 0.10 |", "| b | 0.40 | 0.20 | 0.10 | 0.05 |", "| c | 0.30 | 0.20 | 0.10 | 0.05 |"],
        ["| a | 0.40 | 0.30 | 0.20 | 0.10 |", "| b | 0.50 | 0.30 | 0.10 | 0.10 |", "| c | 0.33 | 0.33 | 0.33 | 0 |"],
    ],
    ids=["accuracies", "the top of longer rows", "rounded"],
)
def test_other_tables_are_left_alone(rows):
    assert failures(table(*rows)) == []


def test_two_definitions_in_a_line_with_a_wide_gap():
    text = "    q  = [2, 0, 1, -1]\n    k1 = [1, 1, 0, 0]      q·k1 = 2\n    k2 = [1, 0, 1, -1]     q·k2 = {}\n"
    assert failures(text.format(4)) == [] and failures(text.format(2)) == [(3, "2", "4")]


def test_a_list_of_shares_in_each_cell():
    rows = ["| 0.5 | 0.864, 0.117, 0.019 |", "| 1 | 0.659, 0.242, 0.099 |", "| 2 | 0.502, {}, 0.194 |"]
    text = "| T | probabilities |\n|---|---|\n" + "\n".join(rows)
    assert failures(text.format("0.304")) == [] and failures(text.format("0.340")) == [(5, "1", "1.036")]


def test_a_row_of_shares_may_begin_with_1():
    text = "Exponentials: 1, 0.1353, 0.0498. Sum: {}."
    assert failures(text.format("1.1851")) == [] and failures(text.format("1.1581")) == [(1, "1.1581", "1.1851")]


def test_a_single_share_is_all_of_it_or_too_little():
    rows = "| to | a | b |\n|---|---|---|\n| a | {} | - |\n| b | 0.40 | 0.60 |\n| c | 0.25 | 0.75 |\n"
    rows += "\nEach row sums to 1.\n"
    assert failures(rows.format("1.00")) == [] and failures(rows.format("0.70")) == [(3, "1", "0.7")]
