"""The interpreter of pages: plain Python is followed to the digit, the rest is unknown, and nothing is executed."""

import ast

import numpy as np
import pytest

from regard.audit.interpreter import Interpreter
from regard.audit.library import Unknown
from regard.audit.page import audit

PROGRAMS = [
    "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nprint([fib(i) for i in range(10)])",
    "t = 0\nfor i in range(9):\n    if i % 3 == 0:\n        t += i\nprint(t)",
    "xs = [3, 1, 2]\nys = xs\nys.append(4)\nprint(xs, sorted(xs, key=lambda x: -x), len(ys))",
    "d = {}\nfor w in 'a b a c a'.split():\n    d[w] = d.get(w, 0) + 1\nprint(d, max(d.values()))",
    "n, k = 7, 0\nfor _ in range(16):\n    n = 3 * n + 1 if n % 2 else n // 2\n    k += 1\nprint(f'{k / 3:.2f}')",
    "import math\nxs = [1.0, 2.0]\nes = [math.exp(x - 2) for x in xs]\nprint([round(e / sum(es), 4) for e in es])",
    "import numpy as np\nA = np.arange(6).reshape(2, 3)\nprint(A @ A.T, A.sum(axis=0), A.T.shape, A[1, ::2])",
    "import numpy as np\nx = np.array([1.0, 2.0, 4.0])\ny = (x - x.mean()) / x.std()\nprint(y.round(3), np.dot(x, y))",
    "def f(a, b=2, *, c=1):\n    a += b\n    return a, c\nprint(f(1), f(1, c=5), f(b=3, a=1))",
    "def f(xs, by=1):\n    return sum(xs) * by\na, b = [5, 6]\nprint(f([1, 2], by=3), b, '{:.2f}'.format(2 / 3))",
    "def f(x, *, a=1):\n    return x * a\nprint(f(2, a=3), f(1))",
    "def f(*xs):\n    return sum(xs) / len(xs)\nprint(f(1, 2, 6), f(*[4]))",
    "d = {w: len(w) for w in ['a', 'bcd']}\ns = {len(w) for w in d} | {7}\nprint(d, sorted(s), 3 in s and d or 0)",
    "import numpy as np\nA = np.column_stack([np.ones(3), [1, 2, 4]])\nprint(np.linalg.solve(A.T @ A, [1, 2]))",
    "print(*[1, 2], sep='-')\nprint('a' * 3, 7 // -2, 7 % -2, 2 ** 10, -2 ** 2)",
]


def followed(program: str) -> str:
    interpreter, printed = Interpreter(), ""
    for statement in ast.parse(program).body:
        interpreter.run(statement)
        printed += "".join(interpreter.printed)
    return printed


@pytest.mark.parametrize("program", PROGRAMS)
def test_it_prints_what_python_prints(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(program, "page", "exec"), {})  # the definition; these programs are ours
    assert followed(program) == capsys.readouterr().out


@pytest.mark.parametrize(
    "program",
    [
        "x = open('/etc/passwd')",
        "x = __import__('os').system('true')",
        "x = (1).__class__",
        "def f(**xs):\n    return len(xs)\nx = f(a=1)",
        "x = {w: i for i, w in enumerate({'a', 'b', 'c'})}['b']",
        "x = list({'a', 'b', 'c'})[0]",
        "x = 9 ** 9 ** 9",
        "x = [0] * 10 ** 9",
        "x = 'a' * 10 ** 9",
        "x = ('a' * 20000).replace('a', 'b' * 20000)",
        "x = f'{1:999999999}'",
        "x = '%999999999d' % 1",
        "while True:\n    pass",
        "def f():\n    return f()\nf()",
        "import numpy as np\nx = np.exp(np.zeros((10 ** 5, 10 ** 5)))",
        "import numpy as np\nx = np.zeros((10 ** 9, 2)).sum()",
        "import numpy as np\nx = list(np.zeros((10 ** 9, 2)))",
        "import numpy as np\nx = np.zeros(10 ** 9)\nfor y in x:\n    pass",
        "import numpy as np\nx, y = np.zeros((10 ** 9, 2))",
        "import numpy as np\nx = np.zeros((10 ** 9, 2)) > 0",
        "import numpy as np\nx = -np.zeros((10 ** 9, 2))",
        "import numpy as np\nx = np.asarray([np.zeros(400_000)])",
        "import numpy as np\nx = np.diag(np.arange(20_000))",
        "import numpy as np\nx = np.maximum(np.zeros((20_000, 1)), np.zeros((1, 20_000)))",
        "import numpy as np\nx = np.stack([np.zeros(200_000)] * 20_000)",
        "import random\nx = random.choice([1, 2])",
        "import numpy as np\nx = np.random.rand(3).argmax()",
        "from elsewhere import softmax\nx = softmax([1, 2])",
        "x = [1]\nfor _ in range(60):\n    x = [x, x]",
        "x = 3\nwhile True:\n    x = x * x",
        "@register\nclass A:\n    pass\nx = A()",
        "x = '{:{}}'.format(1, 10 ** 9)",
    ],
)
def test_the_rest_is_unknown(program: str) -> None:
    with pytest.raises(Unknown):
        followed(program)


def test_what_is_random_has_a_shape_and_no_numbers() -> None:
    interpreter = Interpreter()
    for statement in ast.parse("import numpy as np\nx = np.random.randn(3, 4)\ny = x @ x.T").body:
        interpreter.run(statement)
    assert interpreter.names["y"].shape == (3, 3)
    assert np.isnan(interpreter.names["y"]).all()


def test_what_is_large_is_a_shape() -> None:
    interpreter = Interpreter()
    for statement in ast.parse("x = torch.zeros(64, 512, 768)\ny = (x + 1) @ x.transpose(1, 2) / 8").body:
        interpreter.run(statement)
    assert interpreter.names["y"].shape == (64, 512, 512)
    assert interpreter.names["y"].strides == (0, 0, 0)


@pytest.mark.parametrize(
    ("code", "claimed"),
    [
        ("x = [1, 2]\nx = load()\nprint(sum(x))  # 4", []),
        ("x = [1, 2]\nchange(x)\nprint(sum(x))  # 4", []),
        ("x = [1, 2]\nprint(sum(x))  # 4", ["4"]),
        ("data = []\ndef add(n):\n    data.append(n)\n    record(n)\nadd(1)\nprint(len(data))  # 2", []),
        ("q = 2 * 3  # 1\nk = q + 1  # 2\nv = k + 1  # 3", []),
        ("n = 4\nprint(n, 'heads')  # 5 heads", ["5"]),
        ("n = 4\nprint(n, 'heads')  # 5 layers", []),
        ('def f(x):\n    """Twice.\n\n    >>> f(2.5)\n    6.0\n    """\n    return 2 * x', ["6.0"]),
        ("if __name__ == '__main__':\n    x = 3\n    print(x * 1.5)  # -> 4.6", ["4.6"]),
        ("def main():\n    print(7 * 6)  # 43\n\nmain()", ["43"]),
        ("for x in (1, 2):\n    print(x)  # 3", []),
    ],
)
def test_a_lost_value_claims_nothing(code: str, claimed: list[str]) -> None:
    assert [finding.claimed for finding in audit(f"```python\n{code}\n```").failures] == claimed
