"""Arithmetic in words, and sentences that only look like it."""

import pytest

from regard.audit.page import audit

PAGES = [
    ("wrong", "The dot product of [1, 2] and [3, 4] is 10."),
    ("wrong", "The dot product of [5, 5] and [5, 6] is 50."),
    ("right", "The dot product of [5, 5] and [5, 6] is roughly 50."),
    ("right", "768*768 is about 590,000"),
    ("wrong", "768*768 is 590,000"),
    ("none", "Scores that would give .1/.3/.6 are 0, 1.0986, 1.7918"),
    ("right", "10 is roughly 3π ≈ 9.42"),
    ("wrong", "10 is roughly 3π ≈ 9.52"),
    ("wrong", "The mean of 2, 4 and 9 is 6."),
    ("right", "The mean of 2, 4 and 9 is 5."),
    ("wrong", "The sum of 5 and 6 is 10."),
    ("right", "The sum of 5 and 6 is 11."),
    ("wrong", "3 times 7 is 20."),
    ("right", "3 times 7 is 21."),
    ("wrong", "2 + 2 equals 5"),
    ("wrong", "15% of 80 is 14."),
    ("right", "15% of 80 is 12."),
    ("wrong", "cosine similarity of [1, 0] and [1, 1] is 0.5"),
    ("right", "The cosine similarity between [1, 0] and [1, 1] is 0.71"),
    ("wrong", "softmax of 2 and 0 is 0.78 and 0.22"),
    ("right", "softmax of 2 and 0 is 0.88 and 0.12"),
    ("wrong", "The logits 2 and 0 give probabilities 0.78 and 0.22."),
    ("right", "The logits 2 and 0 give probabilities 0.88 and 0.12."),
    ("wrong", "0,5 + 0,25 = 0,80"),
    ("right", "0,5 + 0,25 = 0,75"),
    ("none", "2 + 2 = 5 is wrong."),
    ("none", "An average of 3 and 5 is 7 in the worst case."),
    ("none", "A 3 × 3 is 2 times smaller than a 6 × 3."),
    ("none", "The ratio 16/9/4 is 5 units."),
    ("none", "Chapters 3 + 4 are 12 pages long."),
    ("none", "Level 2 times 3 is a lot. 2 times 3 is 5 too many."),
    ("none", "The results were 0.2/0.3/0.5 = low/mid/high."),
    ("none", "The sum of 5 and 6 is 10 in base 11."),
    ("right", "The product of 6 and 7 is 42."),
    ("wrong", "The product of 6 and 7 is 48."),
    ("right", "The average of 3, 5, and 10 is 6."),
    ("wrong", "The average of 3, 5, and 10 is 7."),
    ("right", "20% of 50 equals 10"),
    ("wrong", "20% of 50 = 12"),
    ("none", "20% of 50 people are 12 years old"),
    ("right", "15 divided by 4 is 3.75."),
    ("wrong", "15 divided by 4 is 3.57."),
    ("right", "7 plus 5 equals 12"),
    ("wrong", "7 plus 5 equals 13"),
    ("right", "Softmax turns 1, 2 and 3 into 0.09, 0.24 and 0.67."),
    ("wrong", "Softmax turns 1, 2 and 3 into 0.09, 0.34 and 0.57."),
    ("right", "The softmax of 1, 2 and 3 is about 0.09, 0.24 and 0.67."),
    ("right", "The scores 2 and 1 become weights 0.73 and 0.27 after softmax."),
    ("wrong", "The scores 2 and 1 become weights 0.63 and 0.37 after softmax."),
    ("none", "The scores 2 and 1 give weights 0.67 and 0.33."),
    ("right", "The cosine similarity of [3, 4] and [4, 3] is 0.96."),
    ("wrong", "The cosine of [3, 4] and [4, 3] is 0.69."),
    ("right", "0,5 · 0,5 = 0,25 und 1,5 + 1,5 = 3,0"),
    ("right", "1,024 + 1,024 = 2,048"),
    ("none", "Values 1,5 and 2,7 are typical; see 0,3."),
    ("right", "The key width is 64, so we divide by √64 = 8."),
    ("right", "Suppose a = [1, 2] and b = [3, 4]. Then a·b = 3 + 8 = 11."),
    ("wrong", "Suppose a = [1, 2] and b = [3, 4]. Then a·b = 3 + 8 = 12."),
    ("right", "About 2 in 3 (66.7%) agree; 2/3 ≈ 66.7%."),
    ("none", "It grew from 3 to 5, which is 2 more; 5 - 3 is 4 more."),
    ("right", "5 - 3 is 2."),
    ("right", "A batch of 32 times 128 tokens is 4,096 tokens."),
    ("wrong", "A batch of 32 times 128 tokens is 4,906 tokens."),
    ("right", "12 times 64 is 768, the width of GPT-2."),
    ("right", "8 × 64 = 512 = d_model"),
    ("right", "2 times 2 is 4 times 1."),
    ("wrong", "0.2 + 0.3 + 0.6 = 1"),
    ("right", "0.33 + 0.33 + 0.33 = 1"),
    ("right", "0.7 + 0.3 = 1.0"),
    ("none", "1 + 1 is 3 for large values of 1 (a joke)."),
    ("right", "The maximum of 3, 9 and 4 is 9."),
    ("none", "The sum of 1 and 2 is not 4."),
    ("right", "The sum of 0.2, 0.3 and 0.5 is 1."),
    ("wrong", "The sum of 0.2, 0.3 and 0.6 is 1."),
    ("right", "The sum of [1, 2, 3] is 6."),
    ("none", "Section 2.1 and 2.2 is 3 pages."),
    ("none", "temperature = 2 and scores = [1, 2]; softmax(scores / T) = [0.38, 0.62]"),
    ("none", "`i = 0`, then `i = i + 1` until `i * 2 = 10`."),
    ("none", "The weights are 0.2/0.3/0.5 and 0.1/0.1/0.8 = two rows."),
    ("right", "It is roughly 100 = 10 × 10."),
    ("right", "2^20 is about 1,000,000."),
    ("right", "2^20 = 1,048,576, roughly 1M."),
    ("wrong", "2^20 is exactly 1,000,000."),
    ("right", "e^5 ≈ 150"),
    ("right", "√2 is approximately 1.41"),
    ("right", "10/3 is about 3.3"),
    ("wrong", "10/3 is about 3.6"),
    ("wrong", "Das Gewicht ist 0,25 · 2 = 0,6."),
    ("right", "Der Mittelwert: (1,5 + 2,5)/2 = 2,0"),
]


def outcome(text: str) -> str:
    verdicts = {finding.verdict.value for finding in audit(text).findings}
    return next((worst for worst in ("cannot run", "wrong") if worst in verdicts), "right" if verdicts else "none")


@pytest.mark.parametrize("expected, text", PAGES)
def test_a_page(expected: str, text: str) -> None:
    assert outcome(text) == expected, [str(finding) for finding in audit(text).findings]


def test_the_computed_value_shows_digits_enough_to_differ() -> None:
    (finding,) = audit("2 / 3 = 0.666667001").failures
    assert float(finding.computed) != float(finding.claimed)
    (finding,) = audit("-ln(0.269278) = 1.312010").findings
    assert (finding.claimed, finding.computed) == ("1.312010", "1.312011")
