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
    "in brackets side by side": ("a.txt", "pass@2 = 1 - (7/10)(6/9) = {}.\n", "0.533", "0.833"),
    "a half": ("a.html", "<p>12 &times; 2½ = {} minutes</p>", "30", "50"),
    "between bars": ("a.html", "<p>|3| + |&minus;4| + |12| = {}</p>", "19", "11"),
    "a logarithm with its base below": ("a.md", "Discounts: log₂8 = {}, log₂3 = 1.585.\n", "3", "4"),
    "thin spaces": ("a.tex", "\\[\n1024 \\cdot 1024 = {}\n\\]\n", r"1\,048\,576", r"4\,048\,576"),
    "a power of e in brackets": ("a.tex", "\\[\n\\frac{{1}}{{1 + 2 e^{{-0.707}}}} = {}\n\\]\n", "0.503", "0.603"),
    "a power of e in code": ("a.md", "```\ne^1  = {}\n```\n", "2.718", "2.178"),
    "corrected for its bias": ("a.md", "- 0.9 · 0.04 + 0.1 · (-0.2) = {}\n- corrected = 0.0842\n", "0.016", "0.056"),
    "beside a clock": ("a.txt", "The clock is slow.\n2 + 2 + 5 + 6 + 8 + 10 = {} losses\n", "33", "39"),
    "a floor that is painted": ("a.txt", "The floor stays. 1.4 * 1.2 = {} m2.\n", "1.68", "1.86"),
    "an even quotient": ("a.txt", "(4 + 16 + 16 + 64)/4 = 100/4 = {}, whose root is 5\n", "25", "52"),
    "an item of a vector": ("a.md", "p = (0.2537, 0.6897, 0.0566).\nThe loss -ln p_2 = {}.\n", "0.3715", "1.3715"),
    "a comment with a label": (
        "a.py",
        "doors = 2 * 0.9 * 2.0        # two doors: 3.6 m2\nwindows = 3 * 1.2 * 1.4      # three windows: {} m2\n",
        "5.04",
        "50.4",
    ),
    "a change in words": ("a.md", "It went from 79 tokens to 47, a saving of {} tokens.\n", "32", "34"),
    "a change in percent": ("a.md", "A page went from 520 tokens to 624, which is {} percent more.\n", "20", "25"),
    "all told": ("a.tex", "$12480$ letters, $7315$ cards and $2205$ notes, altogether ${}$.\n", "22000", "21000"),
    "what is left": ("a.md", "A 16 GB card minus 13.4 GB of weights leaves {} GB.\n", "2.6", "3.6"),
    "those that are not": ("a.md", "Of the 250 mails 40 were spam, so {} were not.\n", "210", "220"),
    "a price per litre": ("a.md", "At 2.40 per litre, 35 litres cost {}.\n", "84.00", "48.00"),
    "bytes of billions": ("a.txt", "7 billion parameters at 2 bytes are {} GB.\n", "14", "41"),
    "shared out": ("a.txt", "So 1544.00 is to be shared, which for thirty-six people is {} each.\n", "42.89", "45.42"),
}  # fmt: skip

TABLES = {
    "totals both ways": (
        "a.tex",
        "\\begin{{tabular}}{{|l|r|r|r|}}\n\\hline\n & spam & not & together \\\\ \\hline\nwith & 45 & 14 & 59 \\\\\n"
        "without & 75 & 266 & {} \\\\\ntogether & 120 & 280 & 400 \\\\ \\hline\n\\end{{tabular}}\n",
        "341",
        "314",
    ),
    "an inner number of totals both ways": (
        "a.md",
        "| | yes | no | sum |\n|---|---|---|---|\n| a | {} | 12 | 60 |\n| b | 7 | 33 | 40 |\n| sum | 55 | 45 | 100 |\n",
        "48",
        "38",
    ),
    "arithmetic in cells": (
        "a.md",
        "| part | formula | parameters |\n|---|---|---|\n| maps | 4 × (256 × 256 + 256) | 263,168 |\n"
        "| up | 256 × 1024 + 1024 | 263,168 |\n| down | 1024 × 256 + 256 | {} |\n",
        "262,400",
        "262,144",
    ),
    "a formula above": (
        "a.md",
        "    bytes per token = 2 · layers · kv_heads · head_dim · 2\n\n(the last 2 is for fp16).\n\n"
        "| model | layers | kv heads | head dim | bytes per token |\n|---|---|---|---|---|\n"
        "| a | 12 | 4 | 64 | 12,288 |\n| b | 24 | 8 | 64 | 49,152 |\n| c | 32 | 8 | 128 | {} |\n",
        "131,072",
        "113,072",
    ),
    "recall by the diagonal": (
        "a.md",
        "| | x | y | z | total | recall |\n|---|---|---|---|---|---|\n| x | 50 | 3 | 7 | 60 | 0.833 |\n"
        "| y | 4 | 36 | 10 | 50 | {} |\n| z | 6 | 1 | 33 | 40 | 0.825 |\n",
        "0.720",
        "0.740",
    ),
    "a digit that got lost": (
        "a.md",
        "| matrix | rows | columns | weights |\n|---|---|---|---|\n| words | 30,522 | 768 | 23,440,896 |\n"
        "| positions | 512 | 768 | {} |\n| segments | 2 | 768 | 1,536 |\n| more | 12 | 768 | 9,216 |\n",
        "393,216",
        "39,216",
    ),
    "comments that are a table": (
        "a.py",
        "# step   loss   smoothed\n#   1    3.0    3.9000     0.9 * 4.0000 + 0.1 * 3.0\n"
        "#   2    3.5    3.8600     0.9 * 3.9000 + 0.1 * 3.5\n#   3    2.5    {}     0.9 * 3.8600 + 0.1 * 2.5\n"
        "#   4    2.0    3.5516     0.9 * 3.7240 + 0.1 * 2.0\n",
        "3.7240",
        "3.7440",
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
