"""Names given a number nearby, and names that must not be trusted."""

import pytest

from regard.audit.page import audit

PAGES = [
    ("wrong", "Let d_k = 64. Then √d_k = 7."),
    ("right", "Let d_k = 64. Then √d_k = 8."),
    ("wrong", "With $d_k = 64$, $\\sqrt{d_k} = 9$."),
    ("right", "With $d_k = 64$, $\\sqrt{d_k} = 8$."),
    ("right", "For x = 3 we get x^2 = 9, while for x = 4 we get x^2 = 16."),
    ("wrong", "For x = 3 we get x^2 = 9, while for x = 4 we get x^2 = 15."),
    ("none", "Let x = 2 or 3. Then x + 1 = 4."),
    ("none", "Solve for x: x + 3 = 10. Try x = 5."),
    ("none", "n = 3\n\nSection about others.\n\nn + 1 = 7"),
    ("none", "# A\nd_k = 64\n# B\n√d_k = 11.3"),
    ("right", "d_k = 64 in the base model, d_k = 128 in the big one.\n\n√d_k = 11.3"),
    ("wrong", "d_k = 64 in the base model, d_k = 128 in the big one.\n\n√d_k = 12.3"),
    ("wrong", "Let $T = 2048$ be the length and $d = 1024$ the width.\n\n$3 \\cdot 2 T d^2 = 1.388 \\times 10^{10}$"),
    ("right", "Let $T = 2048$ be the length and $d = 1024$ the width.\n\n$3 \\cdot 2 T d^2 = 1.288 \\times 10^{10}$"),
    ("wrong", "N = 7e9 and D = 2e12, so C = 6ND = 8.6e22 FLOPs."),
    ("wrong", "a = 1 / (1 + e^-0.8) ≈ 0.6900, so L = -ln a ≈ 0.3811."),
    ("right", "a = 1 / (1 + e^-0.8) ≈ 0.6900, so L = -ln a ≈ 0.3711."),
    ("right", "d_model = 512 and h = 8, so d_k = d_model / h = 64."),
    ("wrong", "d_model = 512 and h = 8, so d_k = d_model / h = 46."),
    ("right", "With $d_k = 64$ we divide by $\\sqrt{d_k} = 8$."),
    ("right", "d_k = 64\n\nscale = 1 / √d_k = 0.125"),
    ("wrong", "d_k = 64\n\nscale = 1 / √d_k = 0.152"),
    ("right", "Let p = 0.25. The loss is -ln(p) = 1.386."),
    ("wrong", "Let p = 0.25. The loss is -ln(p) = 1.368."),
    ("right", "Let n = 4. There are n^2 = 16 scores."),
    ("wrong", "Let n = 4. There are n^2 = 15 scores."),
    ("none", "Let n = 4 MB. Then n * 2 = 9 pages."),
    ("right", "With seq_len = 1024, the matrix has seq_len * seq_len = 1,048,576 entries."),
    ("wrong", "With seq_len = 1024, the matrix has seq_len * seq_len = 1,084,576 entries."),
    ("right", "x = 2, so 3*x = 6, and x = 3, so 3*x = 9."),
]


def outcome(text: str) -> str:
    verdicts = {finding.verdict.value for finding in audit(text).findings}
    return next((worst for worst in ("cannot run", "wrong") if worst in verdicts), "right" if verdicts else "none")


@pytest.mark.parametrize("expected, text", PAGES)
def test_a_page(expected: str, text: str) -> None:
    assert outcome(text) == expected, [str(finding) for finding in audit(text).findings]
