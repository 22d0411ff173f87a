"""Names of numbers are not followed: whatever a page says of them, nothing is called wrong."""

import pytest

from regard.audit.page import audit

PAGES = [
    "Let d_k = 64. Then √d_k = 8.",
    "With $d_k = 64$, $\\sqrt{d_k} = 8$.",
    "For x = 3 we get x^2 = 9, while for x = 4 we get x^2 = 16.",
    "Let x = 2 or 3. Then x + 1 = 4.",
    "Solve for x: x + 3 = 10. Try x = 5.",
    "n = 3\n\nSection about others.\n\nn + 1 = 7",
    "# A\nd_k = 64\n# B\n√d_k = 11.3",
    "d_k = 64 in the base model, d_k = 128 in the big one.\n\n√d_k = 11.3",
    "Let $T = 2048$ be the length and $d = 1024$ the width.\n\n$3 \\cdot 2 T d^2 = 1.288 \\times 10^{10}$",
    "a = 1 / (1 + e^-0.8) ≈ 0.6900, so L = -ln a ≈ 0.3711.",
    "d_model = 512 and h = 8, so d_k = d_model / h = 64.",
    "With $d_k = 64$ we divide by $\\sqrt{d_k} = 8$.",
    "d_k = 64\n\nscale = 1 / √d_k = 0.125",
    "Let p = 0.25. The loss is -ln(p) = 1.386.",
    "Let n = 4. There are n^2 = 16 scores.",
    "Let n = 4 MB. Then n * 2 = 9 pages.",
    "With seq_len = 1024, the matrix has seq_len * seq_len = 1,048,576 entries.",
    "x = 2, so 3*x = 6, and x = 3, so 3*x = 9.",
]


@pytest.mark.parametrize("text", PAGES)
def test_a_page(text: str) -> None:
    assert audit(text).failures == ()
