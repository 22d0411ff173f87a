"""Cases in which a mismatch is no mistake, and their neighbours in which it is."""

import pytest

from regard.audit.page import audit

FINE = [
    "0.2704 + 0.1352 + 0.2704 + 2.0281 = 2.7042",  # each was rounded before it was printed
    "0.33333 + 0.33333 = 0.66667",
    "`e^0.7071` → click → `0.7071 + 0.0000` → click → `1.0000 / √2`",  # a story of expressions, not an equality
    "(4,64)×8 → (4,512)",
    "      2.704     1.000 ✓ sums to 1",
    "Rooms 1001-1006 = 6 rooms",
    "```rust\ncalculate! {\n    eval (1 + 2) * (3 / 4)\n}\n// (1 + 2) * (3 / 4) = 0\n```",
    "y3 = 0.612 * 2 - 0.2 = 1.025   (from unrounded 0.61237)",
    "latency 212 ms → 187 ms (-12%)",
    "The deadline 12/8 = 20 days from now",
    "| model | a | b | mean |\n|---|---|---|---|\n| v2 | 64.8 | 71.2 | 68.0 |\n| v3 | 70.2 | 74.6 | 72.4 |\n"
    "| v4 | 75.0 | 80.0 | 77.5 |\n| v2 as % of v3 | 92.3 | 95.4 | 93.9 |",
]
WRONG = [
    "0.462 + 0.210 = 0.673",  # three decimals are typed, not measured
    "0.33333 + 0.33333 = 0.66669",
    "e^0.7071 → 2.1281",
    "0.2 0.3 0.4 sums to 1",
    "(4 + 16 + 16 + 36 + 81)/5 = 153",
    "The height gain is 1730-1310 = 620 m",
    "so the scores are divided by √2 = 2.828",
    "A width of 1,000 does not divide by 16: 1,000 / 16 = 64.5",
    "latency 212 ms → 187 ms (-21%)",
    "$m = (4.040 - 1.613) / 0.60\\,\\si{s^2/m} = \\SI{4.050}{s^2/m}$",
    "Not 25 %.\n\n```python\nleft = 1 - 0.85 * 0.90  # 0.245\n```",
    "```python\nbits = 1.01\nprint(round(bits, 2))  # 2.02 bits per sign\n```",
]


@pytest.mark.parametrize("page", FINE)
def test_a_right_number_is_not_called_wrong(page):
    assert not audit(page).failures


@pytest.mark.parametrize("page", WRONG)
def test_a_wrong_number_is_still_found(page):
    assert audit(page).failures
