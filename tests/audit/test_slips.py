"""Tables, lists and products with a digit that slipped; and numbers that only seem to have."""

import pytest

from regard.audit.page import audit

CODE = """L, W, H = 4.2, 3.6, 2.5
door = 0.9 * 2.1  # 1.89 m2
ceiling = L * W  # 15.12 m2
walls = 2 * (L + W) * H  # {} m2 with the openings
"""
POINTS = """3 points for a win, 1 for a draw.

| team | W | D | L | pts |
|---|---|---|---|---|
| A | 9 | 1 | 2 | 28 |
| B | 8 | 1 | 2 | 25 |
| C | 7 | 2 | 2 | {} |
| D | 4 | 2 | 6 | 14 |
| E | 3 | 1 | 8 | 10 |
"""
LOSSES = """| p | -ln p |
|---|---|
| 0.80 | 0.2231 |
| 0.45 | {} |
| 0.20 | 1.6094 |
| 0.90 | 0.1054 |
"""
MATRICES = "$A = [[1, 2], [3, 4]]$ and $B = [[1, 0], [0, 2]]$.\n\nThen $AB = [[1, 4], [3, {}]]$."
PAGES = [
    ("page.md", "Exponentials: 6.050, 1.822, 1.221, 0.670. They sum to {}.", "9.763", "9.093"),
    ("page.md", "8 bits over 4 words makes {} bits per word.", "2", "1.6"),
    ("page.md", r"The gradient is $\frac{2}{3}(-2 - 8 - 15) = {}$.".replace("{2}{3}", "23"), "-16.6667", "-15.6667"),
    ("page.py", CODE, "39.00", "39.10"),
    ("page.md", POINTS, "23", "26"),
    ("page.md", LOSSES, "0.7985", "0.7895"),
    ("page.md", MATRICES, "8", "6"),
]


@pytest.mark.parametrize(("name", "text", "right", "wrong"), PAGES, ids=range(len(PAGES)))
def test_a_slip_is_found_and_the_right_number_is_not_called_wrong(name: str, text: str, right: str, wrong: str) -> None:
    assert [str(finding) for finding in audit(text.replace("{}", right), name).failures] == []
    claimed = [finding.claimed.rstrip("%") for finding in audit(text.replace("{}", wrong), name).failures]
    assert claimed == [wrong]


@pytest.mark.parametrize(
    "text",
    [
        "The cosine part has 98,000 steps and half of that is 49,000, so the middle is at step 51,000.",
        "It costs 116.00, then 369.00 and 17.60 and about 75. Together, roughly 578 euros.",
        "The first split took 24:55, the last 27:49: a loss of 174 seconds over 5 km.",
        "A marathon has 42.195 km, or 26.2 miles.",
        "Fixed the statement that 2^16 is 65,356. It is 65,536.",
        "In nats: -0.847, plus 2.079, plus -0.693, gives 0.539.",
        "$A = [[1, 2], [3, 4]]$, $B = [[1, 0], [0, 2]]$, so $A B^T = [[1, 4], [3, 8]]$.",
        "from 0.76 → 0.78 / 0.64 → 0.63: nothing gained",
        "$2\\tfrac{1}{2} = 2.5$",
    ],
)
def test_what_comes_about_in_another_way_is_left_alone(text: str) -> None:
    assert [str(finding) for finding in audit(text).failures] == []
