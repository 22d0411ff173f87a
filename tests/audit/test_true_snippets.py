"""Short true texts of many kinds, as people write them: none of their numbers may be called wrong.

`true_snippets.txt` holds them, with a line `%%` between two: rounded numbers, units, money, dates, statistics,
equations, prose, tables, code, LaTeX, and numbers as German and French write them.
"""

from pathlib import Path

import pytest

from regard.audit.page import audit

TRUE = Path(__file__).with_name("true_snippets.txt").read_text("utf-8").split("\n%%\n")


@pytest.mark.parametrize("text", TRUE)
def test_no_number_of_a_true_text_is_called_wrong(text: str) -> None:
    assert [str(finding) for finding in audit(text).failures] == []


@pytest.mark.parametrize(
    ("text", "claimed"),
    [
        ("2/3 = 0.67 and 0.67 × 300 = 210", "210"),
        ("5 + 3 = 8 * 2 = 17", "17"),
        ("2^10 = 1024 ≈ 1000 = 10^4", "10^4"),
        ("1 + 1 = 12", "12"),
        ("We count 3 × 7 = 20.", "20"),
        ("| token | logit | p (T=2) |\n|---|---|---|\n| a | 2.0 | 0.62 |\n| b | 1.0 | 0.28 |\n", "0.28"),
        ("```python\na = np.ones((3, 1)) * np.ones((1, 4))\na.shape  # (3, 5)\n```", "(3, 5)"),
    ],
)
def test_but_a_wrong_one_beside_it_is(text: str, claimed: str) -> None:
    assert claimed in [finding.claimed for finding in audit(text).failures]
