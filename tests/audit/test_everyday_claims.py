"""Claims as pages make them every day: decimal commas, units, totals, products in cells, labelled prints."""

import pytest

from regard.audit.page import audit


def table(header: str, *rows: str, above: str = "") -> str:
    """A Markdown table below a sentence."""
    return "\n".join([above, "", f"| {header} |", "|---" * (header.count("|") + 1) + "|", *(f"| {r} |" for r in rows)])


def python(*lines: str) -> str:
    """Lines as a fenced block of Python."""
    return "\n".join(["```python", *lines, "```"])


NUMBERS = ("xs = [1, 2, 3]",)
TENSOR = ("x = torch.tensor([1., 2., 3.])",)
HOURS = ("baseline | 1,240", "long context | 3,115", "ablations | 860", "failed runs | 385")
SHARES = ("attention | 96 | 40%", "MLP | 108 | 45%", "norms | 12 | 5%", "the rest | 18 | 7.5%")
SIZES = ("tokens | 32000 × 512 | 16,384,000", "positions | 1024 × 512 | 524,288")
VOCABULARY = ("bytes | 256 | 196,608", "small | 8,000 | 6,144,000", "large | 50,000 | 38,400,000")
COLUMN = r"\begin{pmatrix} 1 \\ 2 \end{pmatrix} \begin{pmatrix} 4 & 5 \end{pmatrix}"
RIGHT = [
    "1 / 3,718 = 0,269",
    "3 × 1,500 = 4,500",
    "0,333 + 0,667 = 1 und 1.000 + 500 = 1.500",
    "normalised = -3 / 2.236 = -1.342\n             -1 / 2.236 = -0.447",
    table("p | −ln p | p²", "0.50 | 0.6931 | 0.25", "0.25 | 1.3863 | 0.0625"),
    table("p | sin p | cos p", "0 | 0 | 1", "1 | 0.841 | 0.540", "2 | 0.909 | -0.416"),
    table("experiment | hours", *HOURS, "**total** | **5,600**"),
    table("part | ms | share", *SHARES, "embedding | 6 | 2.5%"),
    table("part | shape | parameters", *SIZES, "MLP | 8 × 2 × 512 × 2048 | 16,777,216"),
    table("tokenizer | vocabulary | parameters", *VOCABULARY, "medium | 32,000 | 24,576,000", above="Width 768."),
    "8 × 2 GiB = 16 GiB. And 3 km + 4 km = 7 km, 12 m / 4 = 3 m.",
    "2.028e+20 / 1e14 = 2.028e6 seconds",
    "The sum of squares of (1, 4, 8) is 81. The norm of (3, 4) is 5.",
    "Twelve heads of 64 dimensions make 768.",
    "6 ms of 240 ms is 2.5 %.",
    f"${COLUMN} = \\begin{{pmatrix}} 4 & 5 \\\\ 8 & 10 \\end{{pmatrix}}$",
    python(*TENSOR, "torch.dot(x, x).item()  # 14.0"),
    python(*TENSOR, "torch.softmax(x, dim=0)  # tensor([0.0900, 0.2447, 0.6652])", "x.sum()  # tensor(6.)"),
    python(*NUMBERS, "print(sum(x * x for x in xs))  # 14"),
    python(*NUMBERS, "print(sum(a * b for a, b in zip(xs, xs)))  # 14"),
    python(*NUMBERS, "print('sum', sum(xs))  # sum 6", "print(f'{sum(xs)} in all')  # 6 in all"),
    python(*NUMBERS, "xs[2] - xs[0]  # 2"),
]
WRONG = [
    ("√5 ≈ 2,286", "2,286"),
    ("1 / 3,718 = 0,296", "0,296"),
    ("3 × 1,500 = 4,600", "4,600"),
    ("normalised = -3 / 2.236 = -1.342\n             -1 / 2.236 = -0.474", "-0.474"),
    (table("p | −ln p", "0.50 | 0.6931", "0.25 | 1.3863", "0.80 | 0.2321"), "0.2321"),
    (table("p | p²", "0.50 | 0.25", "0.25 | 0.0625", "0.4 | 0.8"), "0.8"),
    (table("p | cos p", "0 | 1", "1 | 0.540", "2 | 0.416"), "0.416"),
    (table("experiment | hours", *HOURS, "**total** | **5,500**"), "5,500"),
    (table("experiment | hours", *HOURS, "Σ | 6,500"), "6,500"),
    (table("part | ms | share", *SHARES, "embedding | 6 | 4.5%"), "4.5%"),
    (table("part | shape | parameters", *SIZES, "MLP | 8 × 2 × 512 × 2048 | 16,772,216"), "16,772,216"),
    (
        table("tokenizer | vocabulary | parameters", *VOCABULARY, "medium | 32,000 | 25,476,000", above="Width 768."),
        "25,476,000",
    ),
    ("8 × 2 GiB = 18 GiB.", "18"),
    ("3 km + 4 km = 8 km", "8"),
    ("2.028e+20 / 1e14 = 2.028e7 seconds", "2.028e7"),
    ("The sum of squares of (1, 4, 8) is 83.", "83"),
    ("The norm of (3, 4) is 6.", "6"),
    ("Twelve heads of 64 dimensions make 786.", "786"),
    ("6 ms of 240 ms is 4.5 %.", "4.5%"),
    (f"${COLUMN} = \\begin{{pmatrix}} 4 & 5 \\\\ 8 & 11 \\end{{pmatrix}}$", "11"),
    (python(*TENSOR, "torch.dot(x, x).item()  # 15.0"), "15.0"),
    (python(*TENSOR, "torch.softmax(x, dim=0)  # tensor([0.0900, 0.2447, 0.6752])"), "0.6752"),
    (python(*TENSOR, "w = torch.softmax(x, dim=0)", "x.sum()  # tensor(7.)"), "7"),
    (python(*NUMBERS, "print(sum(x * x for x in xs))  # 15"), "15"),
    (python(*NUMBERS, "print(sum(a * b for a, b in zip(xs, xs)))  # 15"), "15"),
    (python(*NUMBERS, "print('sum', sum(xs))  # sum 7"), "7"),
    (python(*NUMBERS, "xs[2] - xs[0]  # 3"), "3"),
]  # fmt: skip
SILENT = [
    "Am 14.11. um 12:00, Raum 2.031: √5 ≈ 2,236.",
    "La somme vaut 2,718 + 1 = 3,718.",
    "= 5 + 3\n  -1 * 2 = 6",
    "12 m / 4 m = 3 m",
    "6 / 2 s = 3 s",
    "2 m × 3 m = 6 m",
    "2 m - -3 m = 5 m",
    "512 KiB × 4096 = 2 GiB",
    "Each takes 500 ms, so 4 × 500 = 2 seconds.",
    "Step 3 of 10 is 80% done.",
    "It reads about 200,000 tokens (300 × 650 = 195,000).",
    "1,000 tokens    = 36,864 * 1,000 = 36,864,000",
    "Two sets of 3 games make 1 match.",
    table("run | accuracy", "a | 60", "b | 70", "c | 80", "total | 90"),
    table("site | users", "a | 120", "b | 230", "c | 410", "total | 700"),
    table("part | size", "a | 120", "b | 230", "c | 410", "total | 700", above="The largest parts:"),
    table("part | size", "a | 1.2", "b | 2.3", "c | 4.1", "total | 7.8"),
    table("people | price", "1 | 10", "2 | 20", "3 | 30", "10 | 90", above="Tickets cost 10 each."),
    table("name | resolution | rate", "a | 640 x 480 | 30", "b | 1280 x 720 | 60", "c | 1920 x 1080 | 60"),
    python(*TENSOR, "update(x, rate=0.1)", "x.sum()  # tensor(9.)"),
    python(*NUMBERS, "print([x * 2 for x in [[1], [2]]])  # [[1, 1], [2, 2]]"),
    python(*NUMBERS, "print([x for x in xs if x > 1])  # [2, 3]"),
]


@pytest.mark.parametrize("page", RIGHT)
def test_right_is_right(page) -> None:
    found = audit(page)
    assert found.findings
    assert found.failures == ()


@pytest.mark.parametrize(("page", "claimed"), WRONG)
def test_wrong_is_wrong(page, claimed) -> None:
    assert [finding.claimed for finding in audit(page).failures] == [claimed]


@pytest.mark.parametrize("page", SILENT)
def test_doubtful_is_no_failure(page) -> None:
    assert audit(page).failures == ()
