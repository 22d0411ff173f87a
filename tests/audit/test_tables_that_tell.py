"""What a table tells of itself: sums both ways, sums below empty cells, formulas of the text beside it, lengths."""

import pytest

from regard.audit.page import audit


def table(*rows: str, above: str = "") -> str:
    first, *others = (f"| {row} |" for row in rows)
    rule = "|" + "---|" * (first.count("|") - 1)
    return "\n".join([above, "", first, rule, *others, ""])


def confusion(cell: str = "372", of_row: str = "388", of_all: str = "500") -> str:
    """Counts that add up both ways."""
    return table(
        "| flagged | not | total",
        "toxic | 84 | 28 | 112",
        f"fine | 16 | {cell} | {of_row}",
        f"total | 100 | 400 | {of_all}",
    )


@pytest.mark.parametrize("wrong", [{"cell": "362"}, {"of_row": "378"}, {"of_all": "510"}])
def test_what_its_row_and_its_column_miss_by_the_same_is_wrong(wrong):
    assert [finding.claimed for finding in audit(confusion(**wrong)).failures] == [*wrong.values()]


def test_two_that_are_wrong_are_left_alone():
    assert audit(confusion()).failures == audit(confusion(cell="362", of_all="510")).failures == ()


@pytest.mark.parametrize(("total", "wrong"), [("1.5710", []), ("1.4710", ["1.4710"])])
def test_a_sum_stands_below_its_column_where_others_are_empty(total, wrong):
    rows = ["weather      q     -log2 q   -q log2 q", "sunny      0.6      0.7370      0.4422"]
    rows += ["cloudy     0.2      2.3219      0.4644", "rainy      0.1      3.3219      0.3322"]
    rows += ["snowy      0.1      3.3219      0.3322", f"sum        1.0                  {total}"]
    assert [finding.claimed for finding in audit("\n".join(rows), "page.txt").failures] == wrong


@pytest.mark.parametrize(
    ("above", "header"),
    [
        ("The new value is old − 0.5 · gradient:", "parameter | old | gradient | new"),
        ("new = old − 0.5 · gradient", "parameter | old | gradient | new"),
    ],
)
def test_a_formula_of_the_text_makes_a_column(above, header):
    rows = ["w1 | 0.4 | -0.1604 | 0.4802", "w2 | -0.6 | -0.0802 | -0.6401", "b | 0.1 | -0.1604 | 0.1802"]
    rows += ["v | 1.2 | -0.2970 | 1.3485"]
    failures = audit(table(header, *rows, above=above)).failures
    assert [(finding.claimed, finding.computed) for finding in failures] == [("-0.6401", "-0.5599")]


def test_the_last_row_without_a_name_may_be_the_sums():
    rows = ["1 | 2.1 | 2.1", "2 | 3.9 | 7.8", "3 | 6.2 | 18.2", "4 | 7.8 | 31.2", "5 | 10.1 | 50.5"]
    failures = audit(table("x | y | xy", *rows, "15 | 30.1 | 110.2")).failures
    assert [(finding.claimed, finding.computed) for finding in failures] == [("18.2", "18.6")]


def test_lengths_of_the_vectors_in_a_column():
    rows = ["king | (5, 3, 1) | 5.916", "queen | (4, 1, 4) | 5.099", "man | (2, 3, 0) | 3.606"]
    failures = audit(table("word | v | ‖v‖", *rows)).failures
    assert [(finding.claimed, finding.computed) for finding in failures] == [("5.099", "5.74456")]


def test_rows_that_are_the_same_are_one_evidence():
    """-ln(p) is the loss of the first and the third row; that of the second is -ln(1 - p)."""
    rows = ["1 | -0.5 | 0.3775 | 0.974", "2 | 1.0 | 0.7311 | 1.313", "3 | -0.5 | 0.3775 | 0.974"]
    assert audit(table("i | z | p | loss", *rows)).failures == ()
