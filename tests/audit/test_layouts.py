"""One claim in many layouts: each page is read with the right number and with a wrong one, and only that fails."""

import pytest

from regard.audit.page import audit

CASES: dict[str, tuple[str, str, str, str]] = {  # the file, the page, the right number, the wrong one
    # a comment with arithmetic behind code, on a page that speaks of floor
    "an even quotient in prose": ("a.md", "We round down. Then (28 - 2)/2 + 1 = {}.", "14", "15"),
    # output in comments, at the end of the code
    "output in comments": (
        "a.py",
        'for x in (1, 2, 3):\n    print(x, f"{{x ** 0.5:.4f}}")\nprint("sum", 1 + 2 + 3)\n\n# Output:\n#\n'
        "#   1 1.0000\n#   2 1.4142\n#   3 {}\n#   sum 6\n#\n# The roots of 4 and 9 are 2 and 3.\n",
        "1.7321",
        "1.7231",
    ),
    "printed in comments": (
        "a.py",
        "a = 32 - 5 + 1\nb = a // 2\nprint(a, b)\nprint(a * b)\n\n\n# prints\n#   28 14\n#   {}\n",
        "392",
        "329",
    ),
    "a method as a key": (
        "a.md",
        "```python\nd = {{'tea': 0.4, 'milk': 0.1, 'cake': 0.25}}\ntop = sorted(d, key=d.get, reverse=True)[:2]\n"
        "print(round(sum(d[t] for t in top), 2))  # {}\n```\n",
        "0.65",
        "0.56",
    ),
    # equations
    "a row without a number in LaTeX": (
        "a.tex",
        "\\begin{{align}}\nR q &= (2 \\cdot 0.8 - 1 \\cdot 0.6,\\; 2 \\cdot 0.6 + 1 \\cdot 0.8) \\notag\\\\\n"
        "    &= ({},\\; 2.0) \\label{{eq:turned}}\n\\end{{align}}\n",
        "1.0",
        "1.4",
    ),
    "a result behind a label": ("a.html", "<p>So at 500 + 4,500 = step {}.</p>", "5,000", "5,500"),
    "a result behind a label in text": ("a.txt", "It ends on 12 + 30 = day {}, a Sunday.", "42", "43"),
    # shares of the terms of a sum
    "shares of a sum in text": (
        "a.txt",
        "exponentials 2.718 + 1 + 7.389 = 11.107, so the\nweights are 0.245, 0.090 and {}.\n",
        "0.665",
        "0.656",
    ),
    "shares of a sum in LaTeX": (
        "a.tex",
        "We have $20.09 + 7.39 + 2.72 = 30.20$ and hence\nthe probabilities $0.665, {}, 0.090$.\n",
        "0.245",
        "0.254",
    ),
    # tables
    "a table on its side": (
        "a.md",
        "| model | A | B | C | D |\n|---|---|---|---|---|\n| loss | 4.50 | 3.60 | 2.88 | 2.304 |\n"
        "| ln loss | 1.5041 | 1.2809 | 1.0578 | {} |\n",
        "0.8346",
        "0.8436",
    ),
    "a table on its side, which nobody explains": (
        "a.html",
        "<table><tr><th>run</th><th>A</th><th>B</th><th>C</th><th>D</th></tr>"
        "<tr><td>width</td><td>12</td><td>17</td><td>23</td><td>31</td></tr>"
        "<tr><td>height</td><td>14</td><td>19</td><td>27</td><td>37</td></tr>"
        "<tr><td>cells</td><td>168</td><td>323</td><td>{}</td><td>1147</td></tr></table>",
        "621",
        "612",
    ),
    "signs below one another": (
        "a.txt",
        "  candidates     probability           log\n    a red        0.4  x 0.5 = 0.200    {}\n"
        "    a big        0.4  x 0.3 = 0.120    -2.120\n    the red      0.35 x 0.1 = 0.035    -3.352\n"
        "    the house    0.35 x 0.7 = 0.245    -1.406\n",
        "-1.609",
        "-1.906",
    ),
    "shapes beside their lines": (
        "a.md",
        "```\nx                    (4, 10, 96)\nq -> split, swap     (4, 12, 10, 8)\n"
        "k -> repeat          (4, 12, 10, 8)\n"
        "scores = q @ k.T     {}\n```\n",
        "(4, 12, 10, 10)",
        "(4, 12, 10, 8)",
    ),
    # names, shares, prices and rows that go on
    "a header of a product without a sign": (
        "a.md",
        "| class | p | −p log2 p |\n|---|---|---|\n| a | 0.5 | 0.500 |\n| b | 0.3 | {} |\n| c | 0.2 | 0.464 |\n",
        "0.521",
        "0.512",
    ),
    "a long result in a comment": (
        "a.py",
        "n = 12\nd = 768\nprint(12 * d * d * n)  # {}: the blocks alone\n",
        "84934656",
        "84943656",
    ),
    "a rough result in a comment": ("a.py", "b = 1000 * (1 + 0.04) ** 3  # about {}\n", "1124.86", "1142.86"),
    "a total of two rows": (
        "a.tex",
        "\\begin{{tabular}}{{lrr}}\n & yes & no \\\\\nyes & 45 & 15 \\\\\nno & 5 & 35 \\\\ \\hline\n"
        "total & 50 & {} \\\\\n\\end{{tabular}}",
        "50",
        "55",
    ),
    # side by side, one below the other
    "two equations beside each other in a docstring": (
        "a.py", '"""\n    cos(0.4) = 0.9211    sin(0.4) = {}\n"""\n', "0.3894", "0.3984",
    ),
    "a price with its point in another place": (
        "a.md",
        "One kWh is 0.32 €.\n\n| device | kWh | cost (€) |\n|---|---|---|\n| fridge | 277.4 | 88.77 |\n"
        "| washing | 140.4 | 44.93 |\n| laptop | 65.7 | 21.02 |\n| oven | 286.0 | {} |\n"
        "| lamps, all together | 109.5 | 35.04 |\n| sum | 879.0 | 281.28 |\n",
        "91.52",
        "915.20",
    ),
    "a table of plain text on its side": (
        "a.txt",
        "Readings\n               run 1     run 2     run 3\n    start       0.15      0.42      1.08\n"
        "    end        21.60     21.80     22.51\n    used       21.45     {}     21.43\n",
        "21.38",
        "21.83",
    ),
    "a result copied from the row above": (
        "a.md",
        "| piece | shape | parameters |\n|---|---|---|\n| in | 768 × 2304 + 2304 | 1,771,776 |\n"
        "| up | 768 × 3072 + 3072 | 2,362,368 |\n| down | 3072 × 768 + 768 | {} |\n| norms | 4 × 768 | 3,072 |\n",
        "2,360,064",
        "2,362,368",
    ),
    "values of the normal distribution": (
        "a.md",
        "| x | Φ(x) |\n|---|---|\n| -2 | 0.02275 |\n| -1 | 0.15866 |\n| -0.5 | {} |\n| 0 | 0.50000 |\n"
        "| 0.5 | 0.69146 |\n| 1 | 0.84134 |\n| 2 | 0.97725 |\n",
        "0.30854",
        "0.31854",
    ),
    # totals and columns that somebody marked, left out or copied
    "an emphasised total": (
        "a.md",
        "| item | CHF |\n|---|---:|\n| paint | 310.25 |\n"
        "| brushes | 84.10 |\n| ladder | 129.90 |\n"
        "| cloths | 17.35 |\n| van hire | 266.80 |\n| *total* | *{}* |\n",
        "808.40",
        "708.40",
    ),
    "pieces at a price": (
        "a.md",
        "- 6 m of blue rope at 2.35 → 14.10\n- 14 brass hooks at 0.85 → {}\n",
        "11.90",
        "19.10",
    ),
    "percent of billions": (
        "a.md",
        "The base has 6.5 B parameters.\n\n| rank | adapter | % of base |\n|--:|--:|--:|\n| 4 | 3,276,800 | 0.050 |\n"
        "| 8 | 6,553,600 | 0.101 |\n| 16 | 13,107,200 | {} |\n| 64 | 52,428,800 | 0.807 |\n",
        "0.202",
        "0.020",
    ),
    # matrices that come from those above them
    "a vector beside a matrix": (
        "a.md",
        "$x = \\begin{{bmatrix}} 1 & 3 \\end{{bmatrix}}$, $W = "
        "\\begin{{bmatrix}} 2 & 1 \\\\ 0 & 4 \\end{{bmatrix}}$\n\n"
        "$q = x W = \\begin{{bmatrix}} 2 & {} \\end{{bmatrix}}$\n",
        "13",
        "12",
    ),
    # rows with empty cells, seconds, tables without a header
    "areas beside products, without a header": (
        "a.html",
        "<table><tr><td>long walls</td><td>2 &times; 6.2 &times; 2.6</td><td>32.24 m&sup2;</td></tr>"
        "<tr><td>short walls</td><td>2 &times; 2.5 &times; 2.6</td><td>13.00 m&sup2;</td></tr>"
        "<tr><td>ceiling</td><td>6.2 &times; 2.5</td><td>15.50 m&sup2;</td></tr>"
        "<tr><td>doors</td><td>4 &times; 0.9 &times; 2.0</td><td>{} m&sup2;</td></tr></table>",
        "7.20",
        "6.40",
    ),
    "a subtotal of two rows": (
        "a.md",
        "| item | amount |\n|---|---:|\n| energy | €151.28 |\n| standing charge | €35.70 |\n| subtotal | €{} |\n"
        "| already paid | €174.00 |\n| still to pay | €12.98 |\n",
        "186.98",
        "178.98",
    ),
    # factors that the page gives, formulas that it tells, lists of lists
    "a sign that is lost in a list": (
        "a.md",
        "x = (3, -1, 2, 4)\n\n- centred: (1, -3, 0, 2)\n- result: (0.5345, {}, 0, 1.0690)\n",
        "-1.6036",
        "1.6036",
    ),
    # arithmetic behind its result
    # named vectors and matrices, docstrings, what is said of a list
    "names of matrices without a space": (
        "a.tex",
        "\\[ X = \\begin{{pmatrix}} 1 & 0 & 2 \\\\ 0 & 1 & 1 \\end{{pmatrix}},\\quad "
        "W_Q = \\begin{{pmatrix}} 1 & 2 \\\\ 0 & 1 \\\\ 1 & 0 \\end{{pmatrix}} \\]\n\n"
        "\\[ Q = XW_Q = \\begin{{pmatrix}} 3 & 2 \\\\ 1 & {} \\end{{pmatrix}} \\]\n",
        "1",
        "4",
    ),
    "a docstring of one line": ("a.py", 'def f():\n    """Two of them: 2 * 384 * 1536 = {}."""\n', "1179648", "589824"),
    # a result below what it comes from, behind a gap, or beside a list of the page
    "an expression with a name above its results": (
        "a.py",
        'def mean():\n    """A mean.\n\n    By hand: (80*0.05 + 60*0.10 + 110*0.08) / 250\n'
        '           = (4.0 + 6.0 + 8.8) / 250\n'
        '           = {}\n           = 0.0752\n    """\n',
        "18.8 / 250",
        "17.8 / 250",
    ),
    "an expression in a comment above its result": (
        "a.py",
        "# Right answers: 40*0.25 + 70*0.60\n#              = 10 + 42 = {}, more than half.\n",
        "52",
        "62",
    ),
    "a pair behind its name and a gap": (
        "a.py",
        '"""Two steps.\n\n    m      (0.8*0.05 + 0.2*0.1, 0.8*(-0.01) + 0.2*0.06) = (0.06, {})\n"""\n',
        "0.004",
        "0.020",
    ),
    "amounts behind products": (
        "a.txt",
        "PAID\n  hall                            240.00\n  flowers          12 x 3.25       39.00\n"
        "  cleaning                         85.00\n  programmes      150 x 0.42       63.00\n"
        "  white wine       24 x 6.10      146.40\n  cheese rolls     48 x 2.80      {}\n",
        "134.40",
        "143.40",
    ),
    "a difference with a lost sign": (
        "a.md",
        "| Club | PF | PA | Diff |\n|---|---|---|---|\n| Owls | 21 | 14 | +7 |\n| Jays | 17 | 19 | -2 |\n"
        "| Rooks | 12 | 16 | {} |\n| Wrens | 18 | 19 | -1 |\n",
        "-4",
        "+4",
    ),
    "a total below several columns in HTML": (
        "a.html",
        "<table><tr><th>What</th><th>Each</th><th>Many</th><th>Amount</th></tr>\n"
        "<tr><td>Tent</td><td>140.00</td><td>3</td><td>420.00</td></tr>\n"
        "<tr><td>Food</td><td>11.50</td><td>44</td><td>506.00</td></tr>\n"
        "<tr><td>Train</td><td>18.00</td><td>11</td><td>198.00</td></tr>\n"
        "<tr><td colspan='3'>Sum</td><td>{}</td></tr></table>\n",
        "1124.00",
        "1142.00",
    ),
    "a total below several columns in LaTeX": (
        "a.tex",
        "\\begin{{tabular}}{{llr}}\npart & of & kg \\\\\n\\midrule\nframe & steel & 12.50 \\\\\n"
        "wheels & alloy & 17.35 \\\\\nseat & foam & 11.80 \\\\\n\\midrule\n"
        "\\multicolumn{{2}}{{r}}{{\\textbf{{Total}}}} & {} \\\\\n\\end{{tabular}}\n",
        "41.65",
        "41.56",
    ),
    "a difference to the first row": (
        "a.tex",
        "\\begin{{tabular}}{{lccc}}\nSetup & Run 1 & Score & $\\Delta$ \\\\\n\\midrule\n"
        "baseline & 54.1 & 53.8 & -- \\\\\nno dropout & 52.0 & 52.5 & $-1.3$ \\\\\n"
        "half the data & 48.8 & 49.2 & ${}$ \\\\\none layer & 44.9 & 45.1 & $-8.7$ \\\\\n\\end{{tabular}}\n",
        "-4.6",
        "-4.9",
    ),
    "a formula with a name for a column": (
        "a.md",
        "The rule is share = total / n_parts.\n\n| case | total | parts | share |\n|---|---|---|---|\n"
        "| a | 128 | 4 | 32 |\n| b | 384 | 6 | 64 |\n| c | 768 | 12 | 64 |\n| d | 1600 | 25 | 64 |\n"
        "| e | 12288 | 96 | {} |\n",
        "128",
        "138",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_the_right_number_passes_and_the_wrong_one_is_found(case: str) -> None:
    name, page, right, wrong = CASES[case]
    assert [str(finding) for finding in audit(page.format(right), name).failures] == []
    assert [finding.claimed.rstrip("%") for finding in audit(page.format(wrong), name).failures] == [wrong.strip()]


SILENT = {
    "a restatement must end there": "Software: pROC printed 0.85 (95% CI 0.5787 to 1, DeLong).",
    "a column below is not summed yet": "Two rows of boards, 14.40 m in all.\n\n"
    "| what | bags | price |\n|---|---|---|\n| compost | 7 | 5.49 |\n| soil | 9 | 7.29 |\n",
    "steps are numbered": "```python\nx = 3\ny = -4\nxpy = x + y       #(4)\n"
    "sqr = xpy ** 2    #(5)\nden = 1.0 + sqr   #(6)\n```\n",
    "what a training run prints": "1s 4ms/step - loss: 0.1406 - accuracy: 0.9608 "
    "- val_loss: 0.1531 - val_accuracy: 0.9611\n"
    "1s 4ms/step - loss: 0.1084 - accuracy: 0.9691 - val_loss: 0.1178 - val_accuracy: 0.9731\n",
    "the same number twice proves nothing": "The scores are (2, 2, 3). Divided by √2 they are\n1.414, 1.414 and 2.121.",
    "a smallest value of zero": "| day | count |\n|---|---|\n| a | 3 |\n| b | 5 |\n| c | 7 |\n| min | 0 |\n",
    "a percentage of something else": "In 3 of 8 runs the loss fell by 35.5 %; in 3 of 8, accuracy was 35.5 %.",
    "more than the product": "4 groups of 25 students need 110 chairs.",
    "people at a time of day": "There were 10 people at 9 and 5 men at 10, that is 15.",
    "the F1 of another model": "Precision: 0.84, recall: 0.75.\n\nLast year's model had an F1 of 0.83.",
    "a total without the rows that are parts of another": "| part | parameters |\n|---|---:|\n| tokens | 2,560,000 |\n"
    "| attention, one block | 409,600 |\n| MLP, one block | 819,200 |\n| one block | 1,228,800 |\n"
    "| six blocks | 7,372,800 |\n| **total** | **9,932,800** |\n",
    "a day that ends early": "| day | from | pause | on | to |\n|---|---|---|---|---|\n"
    "| Mon | 08:00 | 12:00 | 12:30 | 16:30 |\n| Tue | 08:00 | 12:00 | 12:30 | 16:30 |\n"
    "| Wed | 08:10 | 12:10 | 12:40 | 16:40 |\n| Thu | 08:00 | 12:00 | 12:30 | 15:30 |\n"
    "| Fri | 08:15 | 12:15 | 12:45 | 16:45 |\n",
    "faster is of the new time": "The build fell from 540 s to 405 s, so it is 33% faster than before.",
    "how far, not where to": "| word | step | distance |\n|---|---|---|\n| a | 1.25 | 1.25 |\n| b | 2.75 | 2.75 |\n"
    "| c | -3.45 | 3.45 |\n| d | 4.65 | 4.65 |\n",
    "a column in two units": "| n | entries | with 16 heads |\n|---|---|---|\n| 1024 | 1,048,576 | 32 MB |\n"
    "| 2048 | 4,194,304 | 128 MB |\n| 8192 | 67,108,864 | 2 GB |\n",
    "a product without a sign": "We take 12 (3 + 9) of them, and 7 (1 - 2 a day) after that.",
    "two functions of one name": "First f(x) = 2 * x. Then f(x) = x + 1, so f(3) = 4 and f(4) = 5.",
    "a function that is only called": "Here p(1) = 0.5, p(2) = 0.25 and f(x) = p(x) * x, as f(2) = 3 shows.",
    "thousands beside none": "It will touch 100k + 20000 * 4 = 180\nkbytes of it.",
    "two intervals": "Scores are 4.2 ± 0.3 and 5.1 ± 0.2 for 10 and 20 runs.",
    "words that are no claim": "# king − man + woman = ?\n\n| word | royal | male | old |\n|---|---|---|---|\n"
    "| king | 9 | 8 | 1 |\n| man | 2 | 8 | 0 |\n| woman | 2 | −7 | 1 |\n| queen | 9 | −6 | 2 |\n",
    "the day of a month is no amount": "A first part of 40 % (60.00 €) is due by\n"
    "1 March, the remaining 90.00 € by 1 May.",
    "a sum with something besides the list": ""
    "* tea: 816 g\n* milk: 240 g\n* salt: 24 g\n\nTogether with that it's 2,080 g.",
}  # fmt: skip


@pytest.mark.parametrize("case", SILENT)
def test_silence_where_something_else_may_be_meant(case: str) -> None:
    assert [str(finding) for finding in audit(SILENT[case]).failures] == []
