"""Sessions, `print` comments and shape comments: what code is said to give."""

import pytest

from regard.audit.page import audit
from regard.audit.verdict import Verdict

PAGES = [
    (
        "wrong",
        "```python\nQ = np.random.randn(4, 8)\nK = np.random.randn(4, 8)\nscores = Q @ K.T  # shape (4, 8)\n```",
    ),
    (
        "right",
        "```python\nQ = np.random.randn(4, 8)\nK = np.random.randn(4, 8)\nscores = Q @ K.T  # shape (4, 4)\n```",
    ),
    ("wrong", "```python\nx = torch.randn(2, 10, 512)\nW = torch.randn(512, 64)\nq = x @ W  # (2, 10, 512)\n```"),
    ("right", "```python\nx = torch.randn(2, 10, 512)\nW = torch.randn(512, 64)\nq = x @ W  # (2, 10, 64)\n```"),
    ("wrong", "```python\nQ = np.random.randn(4, 8)\nscores = Q @ Q.T / np.sqrt(8)  # (4, 8)\n```"),
    ("wrong", "```python\nx: float = 0.5 * 0.66  # 0.34\n```"),
    ("none", "```python\nn_head: int = 12  # 6\n```"),
    ("wrong", "```python\n>>> 2 + 2\n5\n```"),
    ("right", "```python\n>>> 2 + 2\n4\n```"),
    ("wrong", ">>> 2 + 2\n5\n"),
    ("wrong", "```\n>>> 2 + 2\n5\n```"),
    ("none", "```python\n>>> 2 ^ 3\n1\n```"),
    ("wrong", "```python\nprint(2 * 3)  # 7\n```"),
    ("right", "```python\nprint(2 * 3)  # 6\n```"),
    ("none", "```python\nx = np.random.normal(0, 1)\ny = x @ W  # (2, 3)\n```"),
    ("right", "```python\nx = torch.zeros(2, 3, 4)\ny = x.transpose(1, 2)  # (2, 4, 3)\n```"),
    ("wrong", "```python\nx = torch.zeros(2, 3, 4)\ny = x.transpose(1, 2)  # (2, 3, 4)\n```"),
    ("right", "```python\nx = torch.zeros(2, 3, 4)\ny = x.view(2, -1)  # torch.Size([2, 12])\n```"),
    ("none", "```python\nx = np.full(3, 7)\ny = np.ones((3, 2))\nz = x @ y\n```"),
    ("none", "```python\nx = np.zeros((3, 4))\nx = load()\nz = x @ x  # (3, 4)\n```"),
    ("none", "```python\nfor x in data:\n    y = x @ W  # (3, 4)\n```"),
    ("right", "```python\n>>> 0.1 + 0.2\n0.30000000000000004\n```"),
    ("right", "```python\n>>> 2 ** 10\n1024\n```"),
    ("right", "```python\n>>> x = 3\n>>> x = x + 1\n>>> x * 2\n8\n```"),
    ("none", "```python\n>>> 3 + 4j\n(3+4j)\n```"),
    ("right", "```python\n>>> 5 % 3\n2\n```"),
    ("right", "```python\n>>> [1, 2] + [3]\n[1, 2, 3]\n```"),
    ("right", "```python\n>>> [1, 2] * 2\n[1, 2, 1, 2]\n```"),
    ("none", "```python\nprint(2 * 3, 4)  # 7\n```"),
    ("wrong", "```python\nprint(np.dot([1, 2], [3, 4]))  # 12\n```"),
    ("wrong", "```\nlogits        softmax\n2.0           0.78\n0.0           0.22\n```\n"),
    (
        "right",
        "```\n"
        "word     score   weight\n"
        "the      1.0     0.09\n"
        "cat      2.0     0.24\n"
        "sat      3.0     0.67\n"
        "```\n"
        "The softmax row.",
    ),
    ("wrong", "```python\nh = torch.ones(4, 16)\nW = torch.ones(16, 3)\nout = h @ W  # -> (4, 16)\n```"),
    (
        "right",
        "```python\nh = torch.ones(4, 16)\nW = torch.ones(16, 3)\nout = h @ W  # (4, 3): one row per token\n```",
    ),
    ("none", "```python\nh = torch.ones(4, 16)\nout = model(h)  # (4, 3)\n```"),
    ("wrong", "```python\nA = np.ones((2, 3))\nB = np.ones((3, 5))\nprint((A @ B).shape)  # (2, 3)\n```"),
    ("right", "```python\nA = np.ones((2, 3))\nB = np.ones((3, 5))\nprint((A @ B).shape)  # (2, 5)\n```"),
    ("wrong", "```python\n>>> np.ones((2, 3)).T.shape\n(2, 3)\n```"),
    ("right", "```python\n>>> 10 / 4\n2.5\n```"),
    ("wrong", "```python\n>>> 10 / 4\n2.75\n```"),
    ("wrong", "    >>> 3 * 7\n    22\n"),
    ("right", "```pycon\n>>> round(3.7)\n4\n```"),
    ("wrong", "```python\nmath.sqrt(64)  # 9.0\n```"),
    ("right", "```python\na = 2 * 3; b = a + 1  # 7\n```"),
    ("wrong", "```python\na = 20 * 30; b = a + 1  # 602\n```"),
    ("right", "```python\nfor n in (1, 2):\n    a = 2 * 3; b = a + 1  # 7\n```"),
    ("cannot run", "```python\nctx = np.zeros((2, 5, 64))\nout = ctx.reshape(2, 5, 48)\n```"),
    ("none", "```python\nctx = np.zeros((2, 5, 64))\nout = ctx.reshape(2, 5, 48)  # ValueError\n```"),
    ("none", "```python\nctx = np.zeros((2, 5, 64))\nout = ctx.reshape(2, 5, 64)\n```"),
    ("cannot run", "```python\nx = np.ones((3, 4)) + np.ones(3)\n```"),
    ("none", "```python\nx = np.ones((3, 4)) + np.ones(4)\n```"),
    ("cannot run", "```python\nx = np.concatenate([np.ones((2, 3)), np.ones((2, 5))])\n```"),
    ("none", "```python\nx = torch.ones(4).repeat(3, 1) + torch.ones(3, 4)\n```"),
]


def outcome(text: str) -> str:
    verdicts = {finding.verdict.value for finding in audit(text).findings}
    return next((worst for worst in ("cannot run", "wrong") if worst in verdicts), "right" if verdicts else "none")


@pytest.mark.parametrize("expected, text", PAGES)
def test_a_page(expected: str, text: str) -> None:
    assert outcome(text) == expected, [str(finding) for finding in audit(text).findings]


def test_a_shape_that_cannot_work_is_counted_once() -> None:
    page = "```python\nQ = np.zeros((4, 8))\nK = np.zeros((4, 8))\nS = Q @ K  # (4, 8) @ (4, 8)\n```"
    assert [found.verdict for found in audit(page).failures].count(Verdict.cannot_run) == 1


@pytest.mark.parametrize(
    "line", ["s = np.array([1.5, 2.0]).sum()\nprint(s * 2)  # 7.0", "s = True\nprint(s + 2.5)  # 3.5"]
)
def test_a_printed_number_opens_to_what_it_is_made_of(line: str) -> None:
    (found,) = audit(f"```python\nimport numpy as np\n{line}\n```").findings
    assert found.node is not None
