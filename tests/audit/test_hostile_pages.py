"""Pages that try to make the audit fail, hang, or call a right number wrong."""

import json
import os
import time
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.audit.page import audit, audit_file
from regard.cli.main import run
from regard.text import decoding
from regard.text.decoding import decode

UNREAD = "no text found, or a notebook that cannot be read"
ORDINARY = """
# fastthing 2.0.1

[![build](https://ci.example.org/b?x=1+1=3)](https://ci.example.org) ![size](https://img.example.org/s=3*4=7)

Install with `pip install fastthing==2.0.1`; needs Python >= 3.8, RAM = 16 GB, and 2-3 minutes.

1. Set `lr = 0.1`, `d_k = 64` and `batch_size=32*4`.
2. Run `make -j4 && ./run --ratio=16/9 --size=3x4`.
3. See pages 10-20, section 3.1, or call 555-1234.

| Version | Date       | Score | Weight |
|---------|------------|-------|--------|
| 1.0     | 2021-03-04 | 3     | 0.5    |
| 2.0     | 2024-01-15 | 4     | 0.5    |

```python
def area(x, y):
    total = x * y  # 3 of 4 tests use this
    return total
for i in range(3): count += 2 * i
assert 2 * 3 == 6 and 0x10 == 16
```

```yaml
retries: 3
window: 10-20
```

Accuracy rose by 30% on the cat class. x > 3, y ≤ 5, a ± b. Q1: who? Q2 = fun. 60 * 60 = 1 hour. 1/2 = half.
"""


def test_an_ordinary_readme_has_nothing_wrong() -> None:
    assert audit(ORDINARY).failures == ()


@pytest.mark.parametrize(
    "page",
    [
        "9**9**9 = 3\n" * 1000,
        "(" * 3000 + " = 3\n",
        "```\n" + ("x = [" * 200 + "1\n") * 500,
        "\\frac{" * 600 + "1 = 2\n",
        "*" * 4000 + "\n" + "a*b" * 1500 + " = 3\n",
        ("- " * 2000 + "1 = 3\n") * 50,
        "1+1=" * 1200 + "2\n",
        ("|" * 4000 + "\n") * 100,
        "| a | score | softmax |\n|---|---|---|\n" + "| x | 1 | 0.1 |\n" * 50_000,
        ("0.1, " * 900 + "sums to 1\n") * 20,
        "softmax([" + ", ".join(["0.123"] * 700) + "]) = [" + ", ".join(["0.001"] * 700) + "]\n",
        "0.5*0.5 = 0.25 " * 100_000,
        "$" * 4000 + "= 1\n" + '"' * 4000 + "= 1\n",
        "```python\n" + "A @ " * 120 + "B\n" + "-" * 400 + "1\n",
        ("the mean of " + "1, " * 1500 + "\n") * 100,
        ("x" + " " * 4900 + "=\n") * 300,
        "".join(f"a{at} = {at}\n" for at in range(10_000)),
        "```\n3" + "!" * 4000 + " = 6\n```",
        "```\n[1]" + ".T" * 2000 + " = [1]\n```",
        "```\n" + "(1)" * 1500 + " = 6\n```",
        "```python\n" + "f(" * 400 + "\n" + "x = f(\n" * 20_000 + "```",
        "```python\n" + ("for " + "a " * 2000 + "\n") * 50 + ("a = " * 1000 + "\n") * 50 + "```",
        ("let " + "q be " * 900 + "\n") * 200,
        "x = 1+1\n" + "= 1+1\n" * 20_000,
        "y = x*2\n" + "= x*2\n" * 2000,
        "x shape: (" + "9" * 4400 + ", 3)\n\n(" + "9" * 4400 + ", 3) @ (3, 4)\n",
        "x shape: (1099511627776, 1099511627776)\n\nz shape: (0, 99999999999999999999)\n\n```\ny = x @ x.T + z\n```",
        "```\nx = [h1 | h2 | ... | h100]  # (4, 0)\ny = W0 @ h0 + ... + W0\nz = [h1 | h9999999]  # (4, 9999999)\n```",
        "```python\nx = np.arange(0, 20000, 1e-9)\ny = itertools.combinations(range(20_000), 19_999)\n```",
        "```python\nx = torch.zeros(10 ** 11)\nprint(x, sum(x), max(x), x == x)\nfor y in x:\n    print(y)\n```",
        ("| x | e^x | a·b | /√64 |\n|---|---|---|---|\n" + "| 1 | 2.72 | 3 | 4 |\n" * 20 + "\n") * 100,
    ],
)
def test_a_hostile_page_ends_soon(page: str) -> None:
    start = time.process_time()
    audit(page)
    assert time.process_time() - start < 60  # a hang, not a speed


@pytest.mark.parametrize(
    "page",
    [
        "0.5" + " " * 1500 + "! sums to 1",
        "0.5" + "\u2003" * 1500 + "! sums to 1",
        ("0.5" + " " * 90 + "! sums to 1\n") * 20,
        "```python\n1+1  # output" + " " * 4900 + "x\n```",
        "1.0 & 0.3 & 2.2 ; 0.5 & 1.5 & -0.7 " * 40 + "! the sum is",
        "```python\n" + ("1+1  # output" + " " * 90 + "x\n") * 20 + "```",
    ],
)
def test_spaces_cost_nothing(page: str) -> None:
    start = time.process_time()
    audit(page)
    assert time.process_time() - start < 30  # a hang, not a speed


def _row(first: int, count: int) -> str:
    return "[" + ", ".join(f"{(first + at * 37) % 6007 / 1000 - 3:.4f}" for at in range(count)) + "]"


LISTS = "\n".join(_row(at * 101, 8) for at in range(400))
MATRIX = "[" + ", ".join(_row(at * 53, 8) for at in range(8)) + "]"
NAMED = f"A = {MATRIX}\nB = A A\n" + "\n".join(f"norm(A B) = {at}.5" for at in range(1000))


@pytest.mark.parametrize("page", [LISTS, NAMED], ids=["lists of the same length", "large matrices by their names"])
def test_short_lines_that_ask_for_much_cost_little(page: str) -> None:
    start = time.process_time()
    audit(page)
    assert time.process_time() - start < 30  # a hang, not a speed


@pytest.mark.parametrize(
    "page",
    [
        "-1=1=\n",
        "2->\\1-2->\n",
        "5% of " * 40,
        "Weights: " + ", ".join(f"w{at} 0.1" for at in range(60)),
        "a" + "\n" * 40_000,
        ("\t1" * 2_400 + "\n") * 10,
        "```python\nimport math\nx = math.factorial(2000)\nx\n```\n",
        "```python\na = []\nfor i in range(3000):\n    a = [a]\na\n```\n",
        '```python\nprint(*[1] * 2000, sep="a" * 200000)\n```\n',
        "```python\nd = {}\nfor i in range(60000):\n    d[i] = d\n```\n",
        "```python\nx = np.ones((500, 500))\nfor i in range(9000):\n    np.linalg.eigvalsh(x)\n```\n",
        "```python\nnp.cov(np.ones((120000, 2)))\n```\n",
    ],
    ids=range(12),
)
def test_what_has_no_end_is_left_alone_soon(page: str) -> None:
    start = time.process_time()
    assert audit(page).failures == ()
    assert time.process_time() - start < 20  # a hang, not a speed


def test_numbers_too_large_give_no_warning() -> None:
    table = "| a | score | softmax |\n|---|---|---|\n| x | 1e308 | 1 |\n| y | -1e308 | 0 |\n"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        audit(table + "\nexp(1000) = 3\nstd([1]) = 0\nnormalize([0, 0]) = [0, 0]\n1e300 * 1e300 = 3\n0 / 0 = 1\n")


def test_a_pipe_is_no_page(tmp_path: Path) -> None:
    getattr(os, "mkfifo", os.mkdir)(tmp_path / "pipe")  # a folder is no page either, where there are no pipes
    with pytest.raises(ValueError, match="pipe is not a file"):
        audit_file(tmp_path / "pipe")
    with pytest.raises(ValueError, match="is not a file"):
        audit_file(tmp_path)


def test_a_page_too_large_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "MOST_BYTES", 10)
    page = tmp_path / "page.md"
    page.write_text("2 + 2 = 5 and more")
    with pytest.raises(ValueError, match="more than 10 bytes"):
        audit_file(page)


def test_a_page_of_five_megabytes_ends_in_seconds() -> None:
    page = "The weights of line 7 are not claims, they are prose about 3 cats.\n" * 75_000 + "2 * 3 = 7\n"
    start = time.process_time()
    assert len(audit(page).failures) == 1
    assert time.process_time() - start < 60  # a hang, not a speed: of the processor, whatever else it does


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "latin-1", "cp1252"])
def test_every_encoding_is_read(tmp_path: Path, encoding: str) -> None:
    page = tmp_path / "page.md"
    raw = "Caf\u00e9: 2 * 3 = 7\r\n\x00ok\r\n".encode(encoding)
    page.write_bytes((b"\xfe\xff" if encoding == "utf-16-be" else b"") + raw)
    (failure,) = audit_file(page).failures
    assert (failure.line, failure.claimed, failure.computed) == (1, "7", "6")


NO_TEXT = [
    bytes(range(256)) * 64,
    bytes(5000),
    b"\x89PNG\r\n\x1a\n" + bytes(range(128, 256)) * 9,
    b"na\xefve \xff",
]


@pytest.mark.parametrize("raw", NO_TEXT)
def test_bytes_that_are_no_text_are_an_error(tmp_path: Path, raw: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    page.write_bytes(raw)
    for command in (["check"], ["check", "--json"], ["read"]):
        assert run([*command, str(page)]) == 2
        out, err = capsys.readouterr()
        assert err.startswith(f"regard: {page} cannot be read as text") and len(err.splitlines()) == 1 and not out
    assert audit(decode(raw)).skipped == ((1, UNREAD),)  # where only a text is given, as by the page


@pytest.mark.parametrize(
    ("name", "raw"), [("a.md", b""), ("a.md", b" \n\n"), ("a.md", b"---\n"), ("a.ipynb", b"{not json")]
)
def test_a_file_without_text_says_so(tmp_path: Path, name: str, raw: bytes) -> None:
    page = tmp_path / name
    page.write_bytes(raw)
    assert audit_file(page).skipped == ((1, UNREAD),)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_two_bytes_a_letter_need_no_mark(tmp_path: Path, encoding: str) -> None:
    page = tmp_path / "page.md"
    page.write_bytes("so 2 * 3 = 7, they say".encode(encoding))
    assert [finding.claimed for finding in audit_file(page).failures] == ["7"]


def test_what_is_left_alone_is_counted() -> None:
    found = audit("f(2 + 1) = 9 and 2x + 3*4 = 12\n")
    assert found.findings == () and len(found.skipped) == 2


signs = st.sampled_from([*"0123456789.,+-*/=≈→^()[]|%\n\t $\\{}√·×@#`\"'ab_ ", "softmax", "sums to 1", "```", "score"])


@given(st.lists(signs, max_size=120).map("".join))
@settings(max_examples=300, deadline=None)
def test_no_page_makes_the_audit_fail(page: str) -> None:
    audit(page)


numbers = st.decimals(min_value=-20, max_value=20, places=2).map(lambda value: format(value.normalize(), "f"))


@st.composite
def sums_of_products(draw: st.DrawFn) -> tuple[str, float]:
    """An expression such as `0.5*0.66 + 0.2*0.525`, and its value."""
    pairs = draw(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=4))
    times = draw(st.sampled_from(["*", " × ", " · ", "·"]))
    written = " + ".join(f"({a}){times}({b})" if "-" in a + b else f"{a}{times}{b}" for a, b in pairs)
    return written, sum(float(a) * float(b) for a, b in pairs)


@given(sums_of_products(), st.integers(0, 6), st.sampled_from(["=", "≈", "->", "→"]))
@settings(deadline=None)
def test_right_arithmetic_is_never_called_wrong(example: tuple[str, float], places: int, relation: str) -> None:
    written, value = example
    found = audit(f"so the score is {written} {relation} {value:.{places}f}, as we saw")
    assert found.failures == () and len(found.findings) == 1


@given(sums_of_products(), st.integers(1, 4), st.integers(2, 9), st.sampled_from([-1, 1]))
@settings(deadline=None)
def test_arithmetic_that_is_off_is_called_wrong(example: tuple[str, float], places: int, units: int, sign: int) -> None:
    written, value = example
    off = value + sign * units / 10**places
    assert len(audit(f"so the score is {written} = {off:.{places}f}, as we saw").failures) == 1


@given(st.lists(st.integers(-4, 4), min_size=2, max_size=6), st.integers(2, 5))
@settings(deadline=None)
def test_a_right_softmax_is_never_called_wrong(scores: list[int], places: int) -> None:
    import numpy as np

    exps = np.exp(scores)
    row = ", ".join(f"{share:.{places}f}" for share in exps / exps.sum())
    assert audit(f"softmax({scores}) ≈ [{row}]").failures == ()


@pytest.mark.parametrize(
    "text",
    [
        "| n | ratio |\n|---|---|\n| 2 | 1.5e-400 |\n| 3 | 2.5 |\n| 4 | 3.5 |\n| Total | 7.5e-400 |\n",
        "```python\nprint(2.0)\n```\n\n```\nnan\n```\n",
        "2 * 3 = 7e999 and | 1e999 | 2e999 | 5e-999 |",
        f"| part | n |\n|---|---|\n| {'10' * 40} d? | 5 |\n| b | 6 |\n",
        "```python\nprint(0.5)\n```\n\n```\n6.99e-1000\n```\n",
        "| item | qty | price | amount |\n|---|---|---|---|\n| a | 1e308 | 1e308 | 5.00 |\n| b | 2 | 3.00 | 6.00 |\n"
        "| c | 4 | 2.50 | 10.00 |\n| Total | | | 27.00 |\n",
        f"{'9' * 400}, 2, 3\n\nThe mean of the three is 12.34, their standard deviation {'9' * 400}.",
        f"| a | b |\n|---|---|\n| x | {'9' * 400} |\n| y | 1 |\n| z | 2 |\n\nThe mean is 5.25.",
    ],
)
def test_numbers_beyond_all_numbers_are_left_alone(text: str) -> None:
    assert [str(finding) for finding in audit(text).failures if "e" in finding.claimed] == []


@pytest.mark.parametrize(
    "page",
    [
        "| a | b |\n|---|---|\n| 1 | 1e400 |\n| 2 | 3 |\n| Total | 1e400 |\n",
        "| a | b | c |\n|---|---|---|\n| – | – | – |\n| 0.5 | 0.5 | – |\n| 0.4 | 0.6 | – |\n\nEach row sums to 1.\n",
        ">>> 0.1 * 4\n0.3919e40099999\n",
        "2 km × 1e400 = 3 m\n",
    ],
)
def test_numbers_beyond_all_measure_are_no_crash(page: str) -> None:
    assert audit(page, "page.md").file == "page.md"


def test_a_notebook_with_an_empty_cell_is_read() -> None:
    cells = [{"cell_type": "markdown", "source": ""}, {"cell_type": "markdown", "source": "2 * 3 = 7"}]
    text = json.dumps({"cells": cells}, indent=1)
    assert [finding.claimed for finding in audit(text, "page.ipynb").failures] == ["7"]
