"""Pages on which every number is right, or is no claim at all; and their neighbours, in which one is wrong."""

import pytest

from regard.audit.page import audit


def python(*lines: str) -> str:
    """Lines as a fenced block of Python."""
    return "\n".join(["```python", *lines, "```"])


SCORES = "The scores are cat 2.0, dog 1.0.\n\n"
VECTORS = ("q = np.array([1, 2])", "k = np.array([1, 1])")
MATRIX = "A = np.zeros((2, 3))"
PRODUCT = "A @ np.zeros((2, 2))"

SUMS = [
    "We tried learning rates 0.1, 0.01 and a total of 100 epochs.",
    "In versions 0.1 and 0.2 you can add up to 5 items.",
    "Dropout of 0.1, 0.2 and a total of 12 layers.",
    "Between 0.5 and 1.5 seconds, for a total of 10 minutes",
    "The scores are [2.0, 1.0, 0.5]; after softmax they sum to 1.",
    "The raw scores 2.0, 1.0, 0.1 do sum to 3.1 and the weights sum to 1.",
    "The scores 2.0 and 1.0 become weights that sum to 1.",
    "Scores of 2.0 and 1.0 give probabilities summing to 1.",
    "The weights 0.2, 0.3 and 0.5 sum to 1.",
    "The weights [0.2, 0.3, 0.5] clearly sum to 1.0.",
    "The gains of 0.5 and 1.5 add up to 2.",
    "Rates of 0.5 and 1.5: they total 3 runs.",
    "Divide 2.0 and 4.0 by 6.0 so they sum to 1.",
    "exps are 7.39, 2.72 and the weights sum to 1",
    "Do 0.5 and 0.6 sum to 1? No.",
    "Logits 2.0, 1.0, 0.1 should sum to 1 after softmax.",
    "How do we make [2.0, 1.0] sum to 1?",
]
DIGITS = [
    "2 (3 + 4) = 14",
    "0.5 (2 + 4) = 3",
    "(1 + 1) (2 + 1) = 6",
    "1 500 * 2 = 3 000",
    "1\u00a0500 * 2 = 3\u00a0000",
    "1\u202f500 * 2 = 3\u202f000",
    "1 + 1 500 = 1 501",
    "1,5 * 2 = 3",
    "3,5 - 1 = 2,5",
    "10,5 / 2 = 5,25",
    "1.234,5 + 1 = 1.235,5",
    "0x10 + 1 = 17",
    "0b11 + 1 = 4",
    "2 [1, 2] = [2, 4]",
    "It takes 3, 4 + 1 = 5 and more.",
    "1'500 * 2 = 3'000",
    "Let x = 2. Then x (3 + 4) = 14.",
    "2 √4 = 4",
    "The ratio 2 : (3 + 4) = 0.29",
    "$1\\,500 \\times 2 = 3\\,000$",
    "5 / 2 = 2,5",
    "2 sqrt(4) = 4",
    "2 softmax([0, 0]) = [1, 1]",
    "3 × 1 000 = 3 000",
    "1 1/2 + 1/2 = 2",
]
STALE = [
    *(
        python(*VECTORS, line, f"np.dot(q, k)  # {value}")
        for line, value in (
            ("q += 1", 5),
            ("q *= 2", 6),
            ("q[0] = 5", 7),
            ("q, k = [3, 4], [1, 1]", 7),
            ("q[:] = 4", 8),
            ("q.fill(4)", 8),
            ("q = k = np.ones(2)", 2),
            ("q: np.ndarray = k + k", 4),
            ("np.add(q, 1, out=q)", 5),
            ("(q := k + k)", 4),
        )
    ),
    python(*VECTORS, "for q in [[3, 4]]:", "    np.dot(q, k)  # 7"),
    python(*VECTORS, "for i, q in enumerate([[3, 4]]):", "    np.dot(q, k)  # 7"),
    python(*VECTORS, "with load() as q:", "    np.dot(q, k)  # 7"),
    python(*VECTORS, "if True: q = q + k", "np.dot(q, k)  # 5"),
    python(*VECTORS, "def f(q): return np.dot(q, [1, 1])  # 7"),
    python(*VECTORS, "def f(", "    q,", "):", "    return np.dot(q, [1, 1])  # 7"),
    python(*VECTORS, "f = lambda q: np.dot(q, [1, 1])  # 7"),
    python(*VECTORS, "from vectors import q", "np.dot(q, k)  # 9"),
    python(*VECTORS, "del q"),
    python(*VECTORS, "update(q)", "np.dot(q, k)  # 50"),
    python(*VECTORS, "r = q", "r[0] = 9", "np.dot(q, k)  # 11"),
    python(*VECTORS, "if big:", "    q = np.array([3, 4])", "np.dot(q, k)  # 3"),
    python(*VECTORS, "def f():", "    q = np.array([3, 4])", "    return q", "np.dot(q, k)  # 3"),
    python(*VECTORS, "[np.dot(q, k) for q in [[3, 4]]]  # [7]"),
    "q = [1, 2] and k = [1, 1]\n\nWe double q. Then q · k = 6.",
    "q = [1, 2] and k = [1, 1]\n\nAnother\n=======\n\nq · k = 7",
    "q = [1, 2] and k = [1, 1]. Now let q be [3, 4]. Then q · k = 7.",
    "q = [1, 2] and k = [1, 1].\n\nNow let q be [3, 4]. Then q · k = 7.",
    "q = [1, 2] and k = [1, 1].\n\nq becomes [3, 4]. Then q · k = 7.",
    "q = [1, 2] and k = [1, 1].\n\nSuppose q is now (3, 4). Then q · k = 7.",
    "# A\n\nq = [1, 2] and k = [1, 1].\n\n# B\n\nHere q · k = 7.",
    "## A\n\nq = [1, 2] and k = [1, 1].\n\n## B\n\nHere q · k = 7.",
]
RUNS = [
    *(
        python(MATRIX, *lines, PRODUCT)
        for lines in (
            ("A.resize((3, 2))",),
            ("A.shape = 3, 2",),
            ("if True: A = np.zeros((3, 2))",),
            ("A = B = np.zeros((3, 2))",),
            ("B = A = np.zeros((3, 2))",),
            ("A: np.ndarray = np.zeros((3, 2))",),
            ("(A,) = [np.zeros((3, 2))]",),
            ("A = np.zeros((3, 2)); B = 1",),
            ("A = np.zeros(", "    (3, 2)", ")"),
            ("A = make(", "    3,", "    2,", ")"),
            ("from m import A",),
            ("from m import (", "    A,", ")"),
            ("print(A := np.zeros((3, 2)))",),
            ("B = np.zeros((3, 2))", "A, B = B, A"),
            ("A @= np.zeros((3, 2))",),
            ("np.resize(A, (3, 2), out=A)",),
            ("try: A = load()", "except OSError: pass"),
            ("for A in batches:",),
            ("exec('A = A.T')",),
            ("A = A.T if tall else A",),
            ("global A",),
            ("%time A = A.T",),
            ("B = A", "B.resize((3, 2))"),
            ("match x:", "    case A: pass"),
            ("class A: pass",),
            ("from m import *",),
            ("A = 3",),
            ("A = \\", "    np.zeros((3, 2))"),
            ("while x:", "    A = A.T"),
            ("with f() as (A, B): pass",),
        )
    ),
    python("A = np.zeros((2, 3))", "def f(", "    A,", "    B,", "):", "    return A @ np.zeros((2, 2))"),
    "```\nA = zeros(2, 3)\nA <- transpose(A)\nA @ zeros(2, 2)\n```",
    "```julia\nA = zeros(2, 3)\ntranspose!(A)\nA @ zeros(2, 2)\n```",
    "# One\n\n" + python(MATRIX) + "\n\n# Two\n\n" + python(PRODUCT),
]
READINGS = [
    "[1, 0, 0] × [0, 1, 0] = [0, 0, 1]",
    "[1, 2] × [3, 4] = -2",
    "$[1, 0, 0] \\times [0, 1, 0] = [0, 0, 1]$",
    "cross([1, 0, 0], [0, 1, 0]) = [0, 0, 1]",
    "[[1, 1], [1, 0]]^2 = [[2, 1], [1, 1]]",
    "[[1, 1], [1, 0]]² = [[2, 1], [1, 1]]",
    "[1, 2]^2 = 5",
    "normalize([1, 2, 1]) = [0.25, 0.5, 0.25]",
    "normalize([1, 3]) = [0, 1]",
    "length([3, 4, 5]) = 3",
    "argmax([1, 5, 2]) = 2",
    "norm([1, -2, 3]) = 6",
    "norm([1, -2, 3]) = 3",
    "```\n5 ^ 3 = 6\n```",
    "`5 ^ 3 = 6` in Python",
    "3!! = 3",
    "5!! = 15",
    "Let e = 3. Then e^2 = 9.",
    "8 bits * 4 = 4 bytes",
    "[[1, 2], [3, 4]]^-1 = [[-2, 1], [1.5, -0.5]]",
    "e = 3\n\nThen e^2 = 9.",
    "norm([1, 2, 2])^2 = 9",
    "4 bytes * 8 = 32 bits",
]
PROSE = [
    "So 1 + 2 = 3\n- **0.5** + 0.5 = 1.0\n- 2 + 2 = 4\n",
    SCORES + "Attention: of 100 users 40% own a cat.",
    SCORES + "In attention research, 90% of papers use a cat example.",
    SCORES + "Softmax is common. Some 40% of households own a cat.",
    "| word | year | share |\n|---|---|---|\n| a | 20 | 0.5 |\n| b | 21 | 0.5 |\n\n"
    "The rows of the weight matrix sum to 1.",
    "| item | % |\n|---|---|\n| a | 33 |\n| b | 33 |\n| c | 33 |\n| Total | 100 |\n",
    "```diff\n- 1 + 1 = 2\n+ 1 + 2 = 3\n```",
    "```diff\n- 2 + 2 = 5\n+ 2 + 2 = 4\n```",
    "2 + 2 = 5 (wrong!)",
    "it is not true that 2 + 2 = 5",
    "It is false that 2 + 2 = 5.",
    "We never have 2 + 2 = 5.",
    "7 + 8 = 5, carry the 1",
    "7 + 8 = 5 carry 1",
    "11 + 3 = 2 (on a clock)",
    "On a clock, 11 + 3 = 2.",
    "11 + 3 = 2 o'clock",
    "Is 2 + 2 = 5?",
    "❌ 2 + 2 = 5",
    "Don't write 2 + 2 = 5.",
    "2 + 2 = 5 is a lie",
]
FINE = [*SUMS, *DIGITS, *STALE, *RUNS, *READINGS, *PROSE]

WRONG = [
    "The weights 0.2, 0.3 and 0.6 sum to 1.",
    "The weights [0.2, 0.3, 0.6] clearly sum to 1.0.",
    "The gains of 0.5 and 1.5 add up to 3.",
    "The weights 0.2, 0.3 and 0.6 sum to 1 and are positive.",
    "The weights are 0.2, 0.3 and 0.6; they sum to 1.",
    "Weights: [0.2, 0.3, 0.6] (they sum to 1)",
    "After softmax the weights are 0.2, 0.3, 0.6, and they sum to 1.",
    "2 * (3 + 4) = 15",
    "The result is 2 * 3 = 7, not 1.",
    "In step 2, (3 + 4) * 2 = 15.",
    "1,500 * 2 = 3,001",
    "1,5 * 2,5 = 3,9",
    "3 - 0.5 = 2.6",
    python(*VECTORS, "np.dot(q, k)  # 4"),
    python(*VECTORS, "print(q.sum())", "np.dot(q, k)  # 4"),
    python(*VECTORS, "s = q @ k", "np.dot(q, k)  # 4"),
    python(*VECTORS, "if q[0] == 1: print(q)", "np.dot(q, k)  # 4"),
    "q = [1, 2] and k = [1, 1]. Then q · k = 4.",
    "# A\n\nq = [1, 2] and k = [1, 1].\n\nHere q · k = 4.",
    python(MATRIX, PRODUCT),
    python(MATRIX, "print(A)", PRODUCT),
    python(MATRIX, "B = A.sum()", PRODUCT),
    python(MATRIX, "B = load(", "    'weights.npy',", ")", PRODUCT),
    python(MATRIX, "import torch", "", PRODUCT),
    "[1, 2] · [3, 4] = 10",
    "[1, 2] ⊙ [3, 4] = [3, 9]",
    "[1, 2]^2 = [1, 5]",
    "normalize([3, 4]) = [0.6, 0.9]",
    "length([3, 4, 5]) = 4",
    "argmax([1, 5, 2]) = 3",
    "norm([3, 4]) = 6",
    "5^3 = 120",
    "e^2 = 7.5",
    "8 bits * 4 = 33 bits",
    "The scores are cat 2.0, dog 1.0.\n\nThe softmax puts 40% on cat.",
    SCORES + "So 40% of the attention goes to cat.",
    "| q | a | b |\n|---|---|---|\n| x | 0.4 | 0.6 |\n| y | 0.3 | 0.6 |\n\nThe rows of the weight matrix sum to 1.",
    "7 + 8 = 5, as we saw",
    "11 + 3 = 2",
    "It is true that 2 + 2 = 5.",
    "```text\n- 1 + 1 = 3\n```",
    "1+1 = 3",
    "We know that 1 + 1 = 3.",
    "```diff\n+ 2 + 2 = 5\n```",
    "[1, 2] × [3, 4] = 12",
    "[[1, 1], [1, 0]]^2 = [[2, 1], [1, 2]]",
    "3,5 - 1 = 2,6",
    "Step 1: 2 + 2 = 5",
    "In 2024, 2 + 2 = 5.",
    "f(x) = 2 + 2 = 5",
    python(MATRIX, "B = A", PRODUCT),
    python(MATRIX, "for row in A:", "    print(row)", PRODUCT),
]


@pytest.mark.parametrize("page", FINE)
def test_a_right_number_is_not_called_wrong(page: str) -> None:
    assert [str(finding) for finding in audit(page).failures] == []


@pytest.mark.parametrize("page", WRONG)
def test_a_wrong_number_is_still_found(page: str) -> None:
    assert audit(page).failures
