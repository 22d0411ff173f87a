"""Signs and words that make a number another one than it seems: each is read as it is meant, or left alone."""

import pytest

from regard.audit.page import audit

SPLIT = """```python
import numpy as np
q, k = np.split(np.zeros((4, 50, 96)), 2, axis=-1)
print(q.shape)  # {}
```"""
CELLS = "| step | what | shape |\n|---|---|---|\n| 1 | scores: (2, 8, 10, 64) @ (2, 8, 64, 10) | {} |\n"
PRINTED = """```python
w = 0.0
for step in range(1, 4):
    g = 2 * (w - 3)
    w = w - 0.1 * g
    print(step, round(g, 4), round(w, 4))

# step  grad   w
# 1     -6.0   0.6
# 2     -4.8   1.08
# 3     {}  1.464
```"""
RIGHT = [
    CELLS.replace("{}", "(2, 8, 10, 10)"),
    PRINTED.replace("{}", "-3.84"),
    "π ≈ 3, g ≈ 10, and 2^10 ≈ 10^3 are all fair.",
    "3.320 : 14.965 = 0.222",
    "The odds are 0.25 : 0.75 = 1 : 3.",
    "<u,v> = 3 - 4 + 10 = 9\n<u,w> = -18 - 2 - 8 = -28",
    "|a| = √14 ≈ 3.742 and |b| = √21 ≈ 4.583, so cos = 4 / (3.742 · 4.583) = 4 / 17.146 = 0.233.",
    "# Aufgabe 7.3\n\nNenner: 4,4817 + 1,6487 + 0,7408 = 6,8712",
    "| item | CHF |\n|---|---|\n| labour | 2'310.00 |\n| plants | 145.50 |\n| van | 154.00 |\n| Total | 2'609.50 |\n",
    "$A = [[0.026, 0.828, 0.146], [0.459, 0.081, 0.459]]$ and $V = [[1, 0], [0, 2], [3, 1]]$.\n\n"
    "With unrounded weights $AV = [[0.465, 1.802], [1.837, 0.622]]$.",
    "⌊(32 + 2 − 3)/2⌋ + 1 = 15 + 1 = 16",
    r"$\lfloor 17/5\rfloor = 3$ and $\lceil 17/5\rceil = 4$",
    "Modulo 7 we have $3^{-1} = 5$.",
    "Over the Booleans 1 + 1 = 1.",
    "Its cosine is 0.7071, so half of (1 + 0.7071) is 0.8536.",
    r"On paper $11\cdot500 = 5500$\,mm $= 5.5$\,m.",
    "1 - 0.5 / 0.5774 ≈ 0.8659",
    "\\[ 3.125 - 6.25 - 12 = -15.125 \\]\n\\item Check of question 2",
    "(6, 12, 40, 32) @ (6, 12, 32, 40) -> (6, 12, 40, 40)\nThe shape does not change.",
    SPLIT.replace("{}", "(4, 50, 48)"),
    "| class | precision | recall | F1 |\n|---|---|---|---|\n| a | 0.80 | 0.60 | 0.686 |\n| b | 0.50 | 0.70 | 0.583 |\n"
    "| c | 0.90 | 0.90 | 0.900 |\n",
]
WRONG = [
    ("# Aufgabe 7.3\n\nNenner: 4,4817 + 1,6487 + 0,7408 = {}", "6,8172"),
    (CELLS, "(2, 8, 64, 64)"),
    (PRINTED, "-3.48"),
    ("1.000 : 14.965 = {}", "0.076"),
    ("T = 0.5: e^4 + e^2 + e^1 + e^-2\n = 54.598 + 7.389 + 2.718 + 0.135 = {}", "6.4840"),
    ("⌊(32 + 2 − 3)/2⌋ + 1 = 15 + 1 = {}", "17"),
    (r"On paper $11\cdot500 = {}$\,mm $= 5.5$\,m.", "5050"),
    ("\\[ 3.125 - 6.25 - 12 = {} \\]\n\\item Check of question 2", "-14.125"),
    ("(6, 12, 40, 32) @ (6, 12, 32, 40) -> {}\nThe shape does not change.", "(6, 12, 32, 32)"),
    (SPLIT, "(4, 50, 46)"),
]  # fmt: skip


@pytest.mark.parametrize("text", RIGHT)
def test_what_is_right_passes(text: str) -> None:
    assert [str(finding) for finding in audit(text).failures] == []


@pytest.mark.parametrize(("text", "wrong"), WRONG)
def test_what_is_wrong_is_found(text: str, wrong: str) -> None:
    assert [finding.claimed for finding in audit(text.replace("{}", wrong)).failures] == [wrong]
