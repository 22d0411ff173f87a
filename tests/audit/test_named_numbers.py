"""Names of numbers: followed where a page gives each once, and left alone where they may mean something else."""

import pytest

from regard.audit.page import audit

PAGES = [
    "Let d_k = 64. Then √d_k = 8.",
    "With $d_k = 64$, $\\sqrt{d_k} = 8$.",
    "For x = 3 we get x^2 = 9, while for x = 4 we get x^2 = 16.",
    "Solve for x: x + 3 = 10. Try x = 5.",
    "# A\nn = 3\n# B\nWith n = 6 we get n + 1 = 7.",
    "T = 0.5. Then z / T = 4.0. With T = 1 it is z / T = 2.0.",
    "Let x = 2. The equation x^2 + 6x + 4 = 0 has other roots.",
    "Σx = 20 and Σx² = 110.",
    "g = 5. Then g / (1 - 0.9) = 10 g.",
    "step = 0.1\n\nstep = 0.1 * m^ / √v^ = 0.04\n\nw = 0.9 - step = 0.86",
    "s = 3.44. The best is (20 - 14) / s = 1.67, the weakest (8 - 14) / s = -1.67.",
    "In the base model a = 2 and in others not; the old (40 + 41)/2 = 40.5.",
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


WRONG = [
    ("delta = 0.56095 - 1 = -0.43905\n\ndL/dh = delta * 0.7 = 0.3073", "0.3073"),
    ("$\\lambda_1 = 6.662$ and $\\lambda_2 = 0.338$, so $\\lambda_1/(\\lambda_1+\\lambda_2) = 93.8\\,\\%$.", "93.8%"),
    ("Let n = 8. There are n * n = 64 pairs and n * (n - 1) / 2 = 32 of them are different.", "32"),
    ("$$h_1 = 0.8, \\qquad b = 0.1$$\n$$z = 0.5\\, h_1 + b = 0.6$$", "0.6"),
    ("$$h = (0.7616, -0.6640)$$\nWith $\\delta = 0.7586$,\n$$g = \\delta\\, h = (0.5777, 0.5037)$$", "0.5037"),
]


@pytest.mark.parametrize(("text", "claimed"), WRONG)
def test_a_number_that_is_made_of_names_is_wrong(text: str, claimed: str) -> None:
    assert [finding.claimed for finding in audit(text).failures] == [claimed]
