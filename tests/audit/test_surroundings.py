"""Explicit arithmetic is read whatever stands around it, and what only looks like an excuse is none."""

import pytest

from regard.audit.page import audit

# the file, the text, what is right, what is wrong
LINES = {
    "a square unit": ("a.py", "room = walls(3.0, 2.8)     # 2 * 5.8 * 2.5 = {} m2\n", "29.0", "92.0"),
    "a unit that is counted": ("a.txt", "244 / 4 = {} posts.\n", "61", "91"),
    "a prefix": ("a.txt", "Weights: 50257 * 768 = {}M.\n", "38.6", "386.0"),
    "gigabytes of a plain product": ("a.txt", "Adam takes 3.5e8 * 16 = {} GB.\n", "5.6", "8.6"),
    "behind a gap": ("a.txt", "t = 300    6e-4 * 300 / 400 = {}\n", "4.50e-04", "4.50e-03"),
    "behind a time": ("a.txt", "[14:20] <oskar> 430/500 = {}, so you are off\n", "0.86", "0.68"),
    "behind a question": ("a.md", "How many numbers? 2 × 8 × 16 × 16 = {}.\n", "4,096", "4,069"),
    "behind a formula": ("a.tex", "With $s = 1$: $(32 + 2 - 3)/1 + 1 = {}$.\n", "32", "23"),
    "a half": ("a.html", "<p>12 &times; 2½ = {} minutes</p>", "30", "50"),
    "between bars": ("a.html", "<p>|3| + |&minus;4| + |12| = {}</p>", "19", "11"),
    "a logarithm with its base below": ("a.md", "Discounts: log₂8 = {}, log₂3 = 1.585.\n", "3", "4"),
    "thin spaces": ("a.tex", "\\[\n1024 \\cdot 1024 = {}\n\\]\n", r"1\,048\,576", r"4\,048\,576"),
    "a power of e in code": ("a.md", "```\ne^1  = {}\n```\n", "2.718", "2.178"),
    "corrected for its bias": ("a.md", "- 0.9 · 0.04 + 0.1 · (-0.2) = {}\n- corrected = 0.0842\n", "0.016", "0.056"),
    "a floor that is painted": ("a.txt", "The floor stays. 1.4 * 1.2 = {} m2.\n", "1.68", "1.86"),
    "an even quotient": ("a.txt", "(4 + 16 + 16 + 64)/4 = 100/4 = {}, whose root is 5\n", "25", "52"),
    "a comment with a label": (
        "a.py",
        "doors = 2 * 0.9 * 2.0        # two doors: 3.6 m2\nwindows = 3 * 1.2 * 1.4      # three windows: {} m2\n",
        "5.04",
        "50.4",
    ),
}  # fmt: skip

TABLES = {
    "arithmetic in cells": (
        "a.md",
        "| part | formula | parameters |\n|---|---|---|\n| maps | 4 × (256 × 256 + 256) | 263,168 |\n"
        "| up | 256 × 1024 + 1024 | 263,168 |\n| down | 1024 × 256 + 256 | {} |\n",
        "262,400",
        "262,144",
    ),
    "a digit that got lost": (
        "a.md",
        "| matrix | rows | columns | weights |\n|---|---|---|---|\n| words | 30,522 | 768 | 23,440,896 |\n"
        "| positions | 512 | 768 | {} |\n| segments | 2 | 768 | 1,536 |\n| more | 12 | 768 | 9,216 |\n",
        "393,216",
        "39,216",
    ),
}


@pytest.mark.parametrize("layout", [*LINES.values(), *TABLES.values()], ids=[*LINES, *TABLES])
def test_right_passes_and_wrong_is_found(layout: tuple[str, str, str, str]) -> None:
    name, text, right, wrong = layout
    assert not audit(text.format(right), name).failures
    assert [f.claimed.rstrip("%") for f in audit(text.format(wrong), name).failures] == [wrong.replace("\\,", "")]


EXCUSED = [
    "7 + 8 = 5, carry the 1",
    "By the clock, 10 + 5 = 3.",
    "In base 8, 7 + 1 = 10.",
    "112*112*64=800K",
    "4 cm = 2 km on this map",
    "Rows: 15 * 8 = 120 rows = 40 cm.",
    "The chat first reported 62 / 80 = 72.5 %. That was a slip.",
    "The bed is 7.5 m by 1.2 m, which is 9 m2; the two others are 2.5 m each way, 6.25 m2. That makes 21.5 m2.",
]


@pytest.mark.parametrize("text", EXCUSED)
def test_what_has_an_excuse_passes(text: str) -> None:
    assert not audit(text).failures
