"""Plain texts: columns between gaps, results below their sums, and what is not said as a result."""

import pytest

from regard.audit.page import audit

FACTORS = """
| rate | height | bits | stack |
|---|---|---|---|
| 1.0 | 8 | 128 | 128 |
| 2.4 | 8 | 128 | 307 |
| 3.6 | 8 | 128 | 461 |
| 6.4 | 16 | 64 | 819 |
| 9.6 | 16 | 64 | 1229 |
| 8.0 | 32 | 64 | 2048 |
"""
SHARES = """
| class | found | P | F1 |
|---|---|---|---|
| a | 50 | 0.90 | 0.818 |
| b | 40 | 0.80 | 0.615 |
| c | 10 | 0.30 | 0.130 |
| all | 100 | 0.80 | 0.615 |
"""
WRONG = {
    "a label before a gap": ("  variance  (9 + 1 + 1 + 9)/4 = 6.67\n", "x.txt", [(1, "6.67", "5")]),
    "a result below its sum": (
        "0.925 × 0.3567 + 3 × 0.025 × 2.3026\n= 0.3299 + 0.1272\n= 0.5026\n",
        "x.txt",
        [(2, "0.1272", "0.172695")],
    ),
    "a result below its sum, in HTML": (
        "<p>So</p>\n<div>\n2 &times; 36<br>\n= 74\n</div>",
        "x.html",
        [(4, "74", "72")],
    ),
    "a test below a sentence": (
        '"""A fair one has log2(4) = 2 bits.\n\n>>> half([1, 2, 3])\n4\n"""\n\ndef half(x):\n    return sum(x) / 2\n',
        "x.py",
        [(4, "4", "3")],
    ),
}
SILENT = {
    "equations side by side": "row 3:  exp(1.0) = 2.7183   exp(0.5) = 1.6487   exp(0) = 1     sum 5.3670\n",
    "what may be": "| T | cat | dog |\n|---|---|---|\n| 1 | 0.629 | 0.231 |\n\n(Rows may add to 0.999 or 1.001.)\n",
    "what stands in parentheses": "The large one has 84.6 and base 79.6 (average without WNLI), others report 83.1.\n",
    "an unknown that looks like a sign": r"so $a = 2x \cdot -0.91 = 6 \cdot -0.91 = -5.46$." + "\n",
    "a factor that is twice as large": FACTORS,
    "losses one below the other": "   -ln 0.5 = 0.693\n   -ln 0.2 = 1.609\n   -ln 0.8 = 0.223\n",
    "operands in parentheses": "so the score is 0*8.18 + (-15.72)*(4.08) -> -64, as we saw\n",
    "what a root is": "The cube root of\n4 x 2 x 8 = 64 is 4.\n",
    "another unit of the same": "Perplexity 50,257, loss ln 50257 = 10.82 nats = 15.62 bits.\n",
    "shares in the row of totals": SHARES,
    "what the next number goes on with": "A ten-trip card for 2 zones is 28.00, so 2.80 a trip.\n",
}


@pytest.mark.parametrize("which", WRONG)
def test_the_slip_is_found(which: str):
    text, name, expected = WRONG[which]
    assert [(found.line, found.claimed, found.computed) for found in audit(text, name).failures] == expected


@pytest.mark.parametrize("which", SILENT)
def test_nothing_is_said(which: str):
    assert not audit(SILENT[which], "x.md").failures
