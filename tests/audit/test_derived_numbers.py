"""Numbers that come from others though no sign of equality says so: columns, totals, sentences."""

import pytest

from regard.audit.page import audit

GRADES = """Weights: homework 30%, quiz 20%, exam 50%.

| Pupil | Homework | Quiz | Exam | Final |
|---|---|---|---|---|
| Ana | 88 | 92 | 75 | 82.3 |
| Ben | 70 | 64 | 91 | 79.3 |
| Chloe | 95 | 81 | 83 | {} |
| Deniz | 60 | 78 | 69 | 68.1 |
"""
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
LOG = """[21:48] epoch 1  step  500  train 3.2189  ppl 25.00  500 s
[21:56] epoch 2  step 1000  train 2.7408  ppl 15.50  490 s
[22:04] epoch 3  step 1500  train 2.5257  ppl {}  495 s
[22:12] epoch 4  step 2000  train 2.3979  ppl 11.00  490 s
"""
SPEEDS = """| Task | old (s) | new (s) | Speed-up |
|---|---|---|---|
| Tokenise | 18.4 | 4.6 | 4.00× |
| Train | 91.0 | 35.0 | 2.60× |
| Encode | 2.70 | 1.80 | 1.50× |
| Decode | 12.8 | 8.0 | {}× |
"""
PAGES = [
    (GRADES, "86.2", "88.2"),
    (BILL.format("276.00", "{}"), "41.40", "44.10"),
    (BILL.format("{}", "41.40"), "276.00", "267.00"),
    (MEANS, "16.3", "18.3"),
    (LOG, "12.50", "15.20"),
    (SPEEDS, "1.60", "1.70"),
    ("Ines has labelled 640 documents, Tariq 585, Wen 710. Together {}.", "1,935", "1,953"),
    ("The mean leg was 64 km, or {} miles for our guest.", "39.8", "38.9"),
    ("The oven does 250 °C, which is {} °F.", "482", "428"),
    ("Compared with the 148,100 loans of last year that is 7,400 more, a rise of {} %.", "5.0", "4.0"),
    ("Each of the 24 boxes holds 36 bottles, {} in all.", "864", "846"),
    ("Of 2,500 questions it had 1,985 right ({} %).", "79.4", "78.4"),
    ("The parish gave €900 and the trip cost €6,017.06, so we paid €{} ourselves.", "5,117.06", "5,171.06"),
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
