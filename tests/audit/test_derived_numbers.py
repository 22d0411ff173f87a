"""Numbers that come from others though no sign of equality says so: columns and totals."""

import pytest

from regard.audit.page import audit

BILL = """| Item | Price |
|---|---|
| Machine | 189.00 |
| Grinder | 74.50 |
| Cups | 12.50 |
| Sum | {} |
| Discount 15 % | {} |
| You pay | 234.60 |
"""
MEANS = """| Name | Sheet 1 | Sheet 2 |
|---|---|---|
| Aydin | 17 | 14 |
| Berg | 12 | 18 |
| Castro | 20 | 20 |
| Mean | {} | 17.3 |
"""
SPEEDS = """| Task | old (s) | new (s) | Speed-up |
|---|---|---|---|
| Tokenise | 18.4 | 4.6 | 4.00× |
| Train | 91.0 | 35.0 | 2.60× |
| Encode | 2.70 | 1.80 | 1.50× |
| Decode | 12.8 | 8.0 | {}× |
"""
PAGES = [
    (BILL.format("{}", "41.40"), "276.00", "267.00"),
    (MEANS, "16.3", "18.3"),
    (SPEEDS, "1.60", "1.70"),
]


@pytest.mark.parametrize(("text", "right", "wrong"), PAGES, ids=range(len(PAGES)))
def test_a_slip_is_found_and_the_right_number_is_not_called_wrong(text: str, right: str, wrong: str) -> None:
    assert [str(finding) for finding in audit(text.replace("{}", right)).failures] == []
    assert [finding.claimed.rstrip("%") for finding in audit(text.replace("{}", wrong)).failures] == [wrong]


@pytest.mark.parametrize(
    "text",
    [
        "The README claimed that 256 + 128 = 374. It is 384.",
        "Docs: section 3 said 4 × 4 = 8, thanks to everyone who wrote in.",
        "The deadline is in seven weeks (11 April + 49 days = 30 May).",
        "The image has 1.2 GB (1,187 MB).",
        "It took 2 h 30 min, or 2.5 h.",
        "We had 640 documents and 585 pictures; the archive had 1,953 entries.",
        "| part | width |\n|---|---|\n| a | 0.063 |\n| b | 0.115 |\n| c | 0.200 |\n| all of it takes | 0.18 |",
        "| item | price |\n|---|---|\n| a | 10.00 |\n| b | 20.00 |\n| c | 30.00 |\n| Total (incl. tip) | 66.00 |",
    ],
)
def test_what_may_mean_something_else_is_left_alone(text: str) -> None:
    assert [str(finding) for finding in audit(text).failures] == []
