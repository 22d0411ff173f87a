"""What a line tells of numbers beside it or right above: sums, weights, points of a league."""

import pytest

from regard.audit.page import audit

LOSSES = "Losses: 3.91, 3.42, 3.10, 2.98\n\n"
LEAGUE = """
team     W   D   L   Pts
Ash      4   1   1    13
Calder   3   2   1    {}
Brook    1   2   3     5
Dene     1   1   4     4
"""
ROWS = """
scores:    3       1       -1
exp:       20.086  2.718   0.368
softmax:   0.867   {}   0.016
"""
# how a page goes, the right number, and wrong ones
CASES = {
    "a list with its sum": ("The numbers 7.389, 4.482 and 0.223, with sum {}, are positive.", "12.094", ["12.904"]),
    "results with their sum": ("e^2 = 7.389, e^1 = 2.718, e^0 = 1, together {}.", "11.107", ["11.017", "10.107"]),
    "items and their sum": ("- exp(2) = 7.389\n- exp(1) = 2.718\n- exp(0) = 1.000\n- sum = {}", "11.107", ["11.017"]),
    "items with amounts": ("* rent: 640.00 €\n* power: 58.20 €\n* water: 31.75 €\n* total: {} €", "729.95", ["729.59"]),
    "weights of scores on a line": (
        "Row 3: e^-0.2 = 0.819, e^1.1 = 3.004, e^0.6 = 1.822, sum 5.645. Weights 0.145, 0.532, {}.",
        "0.323",
        ["0.232", "0.511"],
    ),
    "rows with labels": (ROWS, "0.117", ["0.171"]),
    "a softmax without brackets": ("softmax(4, 2, 0) = 0.8668  {}  0.0159", "0.1173", ["0.1137", "0.2173"]),
    "points of a league": (LEAGUE, "11", [" 9"]),
    "a row that is left out": (
        "| a | 20.50 |\n|---|---|\n| b | 13.10 |\n| c | 7.25 |\n| d | 3.15 |\n| Total | {} |",
        "23.50",
        ["16.25"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_right_number_passes_and_wrong_ones_are_found(case: str) -> None:
    page, right, wrong = CASES[case]
    assert [str(finding) for finding in audit(page.format(right), "page.md").failures] == []
    for number in wrong:
        assert [finding.claimed for finding in audit(page.format(number), "page.md").failures] == [number.strip()]


@pytest.mark.parametrize(
    "page",
    [
        LOSSES + "The mean loss of last year was 3.53.",
        LOSSES + "The mean error is 0.353, and the average reader has 3.4 books.",
        "Squared: 36, 9, 9, 1, 0, 4, 16, 49\n\nSum of squares = 142",
        "km: 582, 529, 634, 516\n\nIn total 2270 km.",  # 643 km, with its digits swapped: the total is right
        "p = (0.55, 0.25, 0.20), so the gradient is (0.55, 0.25, -0.80).",
        "| W | D | all |\n|---|---|---|\n| 0.08 | 0.34 | 0.42 |\n| 0.10 | 0.40 | 0.50 |\n| 0.30 | 0.20 | 0.77 |",
        "q: (8, 12, 128, 64) and k: (8, 12, 32, 64)\nScores: (8, 12, 128, 32)",
        "conv: (3, 64, 64)\nconv, stride 4: (16, 16, 16)\npool of 4: (16, 4, 4)",
        "acos 0.5 -0.25 -> 1.0764",
        "```\n2 (K and V) * 32 * 8 * 128 * 2 = 131072 bytes\n```",
        "| logit z | softmax | gradient p − y |\n|---|---|---|\n| 1.2 | 0.690 | -0.310 |\n| 0.4 | 0.310 | 0.310 |",
        "n    homes   percent   so far\n1    34      44.7      34\n2    42      55.3      76\nAll  76      100.0",
    ],
)
def test_what_may_be_about_something_else_is_left_alone(page: str) -> None:
    assert [str(finding) for finding in audit(page, "page.md").failures] == []


def test_code_that_cannot_be_followed_is_counted() -> None:
    page = "```python\nx = foo(3)\nprint(x)  # 9\n```"
    assert audit(page, "page.md").skipped == ((3, "code with parts that are not known"),)
