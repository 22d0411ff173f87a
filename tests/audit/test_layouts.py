"""One claim in many layouts: each page is read with the right number and with a wrong one, and only that fails."""

import pytest

from regard.audit.page import audit

CASES: dict[str, tuple[str, str, str, str]] = {  # the file, the page, the right number, the wrong one
    # a comment with arithmetic behind code, on a page that speaks of floor
    "a quotient that comes out even": (
        "a.py",
        "# sides are floor((n - k)/s) + 1\nb = 14\nc = side(b, 5)  # (14 - 5)/1 + 1 = {}\n",
        "10",
        "9",
    ),
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
    "a quantity per unit": (
        "a.md",
        "| what | litres per bag | bags | litres |\n|---|---|---|---|\n| compost | 40 | 7 | 280 |\n"
        "| soil | 45 | 9 | {} |\n",
        "405",
        "450",
    ),
    "a quantity per unit, divided": (
        "a.html",
        "<table><tr><th>tank</th><th>km</th><th>litres</th><th>km/litre</th></tr>"
        "<tr><td>1</td><td>540</td><td>36</td><td>15.0</td></tr>"
        "<tr><td>2</td><td>612</td><td>40</td><td>{}</td></tr></table>",
        "15.3",
        "13.5",
    ),
    "so many months of a price, and fees": (
        "a.tex",
        "\\begin{{tabular}}{{lrrrr}}\nplan & per month & set-up & bonus & 24 months \\\\ \\hline\n"
        "S & 8.99 & 19.90 & -25.00 & 210.66 \\\\\nM & 12.99 & 19.90 & -50.00 & {} \\\\\n"
        "K & 10.49 & 0.00 & 0.00 & 251.76 \\\\\nold & 21.95 & 5.00 & -10.00 & 521.80 \\\\\n\\end{{tabular}}\n",
        "281.66",
        "218.66",
    ),
    "a running mean": (
        "a.txt",
        "    n    x    mean     M2\n    1    4    4        0\n    2    7    5.5      4.5\n    3   13    {}       42\n"
        "    4   16    10       90\n    5   11    10.2     90.8\n",
        "8.0",
        "8.5",
    ),
    "a running average in Markdown": (
        "a.md",
        "| week | km | average so far |\n|---|---|---|\n| 1 | 31 | 31.0 |\n| 2 | 36 | 33.5 |\n| 3 | 41 | {} |\n"
        "| 4 | 30 | 34.5 |\n",
        "36.0",
        "38.0",
    ),
    "signs below one another": (
        "a.txt",
        "  candidates     probability           log\n    a red        0.4  x 0.5 = 0.200    {}\n"
        "    a big        0.4  x 0.3 = 0.120    -2.120\n    the red      0.35 x 0.1 = 0.035    -3.352\n"
        "    the house    0.35 x 0.7 = 0.245    -1.406\n",
        "-1.609",
        "-1.906",
    ),
    "hours and minutes": (
        "a.md",
        "| day | from | to | break | worked |\n|---|---|---|---|---|\n| Mon | 8:30 | 17:00 | 0:45 | 7:45 |\n"
        "| Tue | 8:50 | 16:20 | 0:30 | 7:00 |\n| Wed | 9:00 | 12:30 | — | 3:30 |\n"
        "| Thu | 7:45 | 18:05 | 1:00 | {} |\n| Fri | 8:15 | 15:00 | 0:30 | 6:15 |\n",
        "9:20",
        "9:40",
    ),
    "hours and minutes in text": (
        "a.txt",
        "  train    departs    arrives    takes\n  ICE      8:14       10:29      2:15\n"
        "  IC       10:41      12:06      {}\n  RE       12:20      13:05      0:45\n"
        "  S1       13:11      13:48      0:37\n",
        "1:25",
        "1:52",
    ),
    "hours and minutes as decimals": (
        "a.html",
        "<table><tr><th>day</th><th>from</th><th>to</th><th>pause</th><th>hours</th></tr>"
        "<tr><td>Mon</td><td>8:30</td><td>17:00</td><td>30</td><td>{}</td></tr>"
        "<tr><td>Tue</td><td>8:50</td><td>16:20</td><td>30</td><td>7.00</td></tr>"
        "<tr><td>Wed</td><td>9:00</td><td>12:45</td><td>0</td><td>3.75</td></tr>"
        "<tr><td>Thu</td><td>7:45</td><td>18:00</td><td>45</td><td>9.50</td></tr></table>",
        "8.00",
        "8.50",
    ),
    "a total of hours": (
        "a.md",
        "| day | worked |\n|---|---|\n| Mon | 8:30 |\n| Tue | 7:30 |\n| Wed | 3:35 |\n| total | {} |\n",
        "19:35",
        "19:53",
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
    "names in capitals": (
        "a.txt",
        "TP = 45, FP = 5, FN = 15, TN = 35\n\naccuracy = (TP + TN) / (TP + FP + FN + TN) = {}\n",
        "0.80",
        "0.88",
    ),
    "a header of a product without a sign": (
        "a.md",
        "| class | p | −p log2 p |\n|---|---|---|\n| a | 0.5 | 0.500 |\n| b | 0.3 | {} |\n| c | 0.2 | 0.464 |\n",
        "0.521",
        "0.512",
    ),
    "so many of so many": ("a.md", "Here 5 of 8 words match, recall {} %.", "62.5", "65.2"),
    "hours and minutes in prose": ("a.txt", "The run took 3 h 20 min, i.e. {} minutes.\n", "200", "220"),
    "so many for so long": ("a.txt", "8 machines for 36 hours are {} machine hours.\n", "288", "228"),
    "prices of several things": ("a.txt", "3 adults at 12.50 and 2 children at 7.00 make {}.\n", "51.50", "55.10"),
    "prices in euros": ("a.html", "<p>2 kg at €2.40, 3 loaves at €3.10, 1 pie at €5.60: €{}</p>", "19.70", "17.90"),
    "a long result in a comment": (
        "a.py",
        "n = 12\nd = 768\nprint(12 * d * d * n)  # {}: the blocks alone\n",
        "84934656",
        "84943656",
    ),
    "a rough result in a comment": ("a.py", "b = 1000 * (1 + 0.04) ** 3  # about {}\n", "1124.86", "1142.86"),
    "as many people, as much of everything": (
        "a.md",
        "| ingredient | for 4 | for 6 |\n|---|---|---|\n| flour | 300 g | 450 g |\n| sugar | 180 g | {} g |\n"
        "| butter | 120 g | 180 g |\n| milk | 250 ml | 375 ml |\n",
        "270",
        "207",
    ),
    "a total of two rows": (
        "a.tex",
        "\\begin{{tabular}}{{lrr}}\n & yes & no \\\\\nyes & 45 & 15 \\\\\nno & 5 & 35 \\\\ \\hline\n"
        "total & 50 & {} \\\\\n\\end{{tabular}}",
        "50",
        "55",
    ),
    "a balance": (
        "a.md",
        "| month | paid in | taken out | balance |\n|---|---|---|---|\n| Jan | 120.00 | 30.00 | 590.00 |\n"
        "| Feb | 80.00 | 95.50 | 574.50 |\n| Mar | 200.00 | 12.40 | {} |\n| Apr | 0.00 | 60.00 | 702.10 |\n"
        "| May | 150.00 | 40.00 | 812.10 |\n",
        "762.10",
        "726.10",
    ),
    "interest on interest": (
        "a.txt",
        "year   balance\n0      2000.00\n1      2080.00\n2      2163.20\n3      {}\n4      2339.72\n\nat 4 % a year\n",
        "2249.73",
        "2294.73",
    ),
    "positions by velocities": (
        "a.html",
        "<table><tr><th>t</th><th>velocity</th><th>position</th></tr>"
        "<tr><td>0</td><td>1.00</td><td>0.00</td></tr><tr><td>1</td><td>1.90</td><td>1.90</td></tr>"
        "<tr><td>2</td><td>2.71</td><td>4.61</td></tr><tr><td>3</td><td>3.44</td><td>{}</td></tr>"
        "<tr><td>4</td><td>4.10</td><td>12.15</td></tr></table>",
        "8.05",
        "8.50",
    ),
    # side by side, one below the other
    "two equations beside each other in a docstring": (
        "a.py", '"""\n    cos(0.4) = 0.9211    sin(0.4) = {}\n"""\n', "0.3894", "0.3984",
    ),
    "a product that leads to a root": ("a.txt", "Then T = 2 pi sqrt(0.50/9.81) = {} s.\n", "1.419", "1.491"),
    "a list below a list": ("a.txt", "    1/3, 1/6, 1/9\n    = 0.333, 0.167, {}\n", "0.111", "0.121"),
    "a row below all columns that is called otherwise": (
        "a.md",
        "|  | a | b | c | sum |\n|---|---|---|---|---|\n| x | 0.52 | 0.18 | 0.30 | 1.00 |\n"
        "| y | 0.25 | {} | 0.35 | 1.00 |\n| z | 0.08 | 0.44 | 0.48 | 1.00 |\n| got | 0.85 | 1.02 | 1.13 | 3.00 |\n",
        "0.40",
        "0.30",
    ),
    "a price with its point in another place": (
        "a.md",
        "One kWh is 0.32 €.\n\n| device | kWh | cost (€) |\n|---|---|---|\n| fridge | 277.4 | 88.77 |\n"
        "| washing | 140.4 | 44.93 |\n| laptop | 65.7 | 21.02 |\n| oven | 286.0 | {} |\n"
        "| lamps, all together | 109.5 | 35.04 |\n| sum | 879.0 | 281.28 |\n",
        "91.52",
        "915.20",
    ),
    "minutes between clocks": (
        "a.md",
        "| leg | dep | arr | time |\n|---|---|---|---|\n| a | 8:12 | 9:47 | 95 min |\n| b | 10:02 | 10:58 | 56 min |\n"
        "| c | 11:21 | 11:59 | {} min |\n| d | 12:14 | 14:02 | 108 min |\n",
        "38",
        "48",
    ),
    "a table of plain text on its side": (
        "a.txt",
        "Readings\n               run 1     run 2     run 3\n    start       0.15      0.42      1.08\n"
        "    end        21.60     21.80     22.51\n    used       21.45     {}     21.43\n",
        "21.38",
        "21.83",
    ),
    "means of columns that are much alike": (
        "a.txt",
        "run    first    second    gain\n---    -----    ------    ----\n  1    0.842     0.851    0.009\n"
        "  2    0.861     0.866    0.005\n  3    0.835     0.848    0.013\n  4    0.858     0.859    0.001\n"
        "  5    0.849     0.856    0.007\n---    -----    ------    ----\nmean   0.849     {}    0.007\n",
        "0.856",
        "0.853",
    ),
    "a result copied from the row above": (
        "a.md",
        "| piece | shape | parameters |\n|---|---|---|\n| in | 768 × 2304 + 2304 | 1,771,776 |\n"
        "| up | 768 × 3072 + 3072 | 2,362,368 |\n| down | 3072 × 768 + 768 | {} |\n| norms | 4 × 768 | 3,072 |\n",
        "2,360,064",
        "2,362,368",
    ),
    "counts beside their parts": (
        "a.md",
        "| pair | where | count |\n|---|---|---|\n| e s | newest 6, widest 3 | 9 |\n| w e | lower 2, newest 6 | 8 |\n"
        "| l o | low 5, lower 2 | 7 |\n| o w | low 5, lower 2 | {} |\n| n e | newest | 6 |\n",
        "7",
        "9",
    ),
    "percentages of one row": (
        "a.md",
        "| what | amount |\n|---|---|\n| base | 3,480.00 |\n| overtime | 142.50 |\n| gross | 3,622.50 |\n"
        "| pension 9.3% | -336.89 |\n| health 7.3% | {} |\n| jobs 1.3% | -47.09 |\n| care 1.7% | -61.58 |\n"
        "| tax | -486.33 |\n| paid out | 2,426.17 |\n",
        "-264.44",
        "-254.04",
    ),
    "values of the normal distribution": (
        "a.md",
        "| x | Φ(x) |\n|---|---|\n| -2 | 0.02275 |\n| -1 | 0.15866 |\n| -0.5 | {} |\n| 0 | 0.50000 |\n"
        "| 0.5 | 0.69146 |\n| 1 | 0.84134 |\n| 2 | 0.97725 |\n",
        "0.30854",
        "0.31854",
    ),
    "a power of what stands on the same line": ("a.txt", "T = 1.790 s   T^2 = {} s^2\n", "3.2041", "3.2141"),
    # totals and columns that somebody marked, left out or copied
    "an emphasised total": (
        "a.md",
        "| item | CHF |\n|---|---:|\n| paint | 310.25 |\n"
        "| brushes | 84.10 |\n| ladder | 129.90 |\n"
        "| cloths | 17.35 |\n| van hire | 266.80 |\n| *total* | *{}* |\n",
        "808.40",
        "708.40",
    ),
    "rows that are parts of another row": (
        "a.md",
        "| part | sum | parameters |\n|---|---|---:|\n| tokens | 8000 × 320 | 2,560,000 |\n"
        "| attention, one block | 4 × 320 × 320 | 409,600 |\n| MLP, one block | 2 × 320 × 1280 | 819,200 |\n"
        "| one block | | {} |\n| six blocks | 6 × one block | 7,372,800 |\n| **total** | | **9,932,800** |\n",
        "1,228,800",
        "1,282,800",
    ),
    "a bus between others": (
        "a.md",
        "| | first | second | third | fourth |\n|---|---|---|---|---|\n| Quay | 08:10 | 08:35 | 09:00 | 09:25 |\n"
        "| Church | 08:17 | 08:42 | 09:07 | 09:32 |\n| School | 08:29 | 08:54 | {} | 09:44 |\n"
        "| Mill | 08:34 | 08:59 | 09:24 | 09:49 |\n",
        "09:19",
        "09:29",
    ),
    "copied from the row above": (
        "a.md",
        "Each month we pay 512.40.\n\n| month | interest | repaid |\n|---|---|---|\n| 1 | 210.00 | 302.40 |\n"
        "| 2 | 208.94 | 303.46 |\n| 3 | 207.88 | 304.52 |\n| 4 | 206.81 | {} |\n| 5 | 205.75 | 306.65 |\n",
        "305.59",
        "304.52",
    ),
    "a change in percent of what it led to": (
        "a.md",
        "The build fell from 540 s to 405 s, so it is {}% shorter than before.",
        "25",
        "33",
    ),
    "pieces at a price": (
        "a.md",
        "- 6 m of blue rope at 2.35 → 14.10\n- 14 brass hooks at 0.85 → {}\n",
        "11.90",
        "19.10",
    ),
    "a header that is a product with brackets": (
        "a.txt",
        "gradient g = 2 (w - 3)\n\nstep      w         g\n  0     5.0000    4.0000\n  1     4.2000    2.4000\n"
        "  2     3.7200    1.4400\n  3     2.8400   {}\n",
        "-0.3200",
        " 0.3200",
    ),
    "percent of billions": (
        "a.md",
        "The base has 6.5 B parameters.\n\n| rank | adapter | % of base |\n|--:|--:|--:|\n| 4 | 3,276,800 | 0.050 |\n"
        "| 8 | 6,553,600 | 0.101 |\n| 16 | 13,107,200 | {} |\n| 64 | 52,428,800 | 0.807 |\n",
        "0.202",
        "0.020",
    ),
    # matrices that come from those above them
    "softmax of a matrix in a code block": (
        "a.md",
        "```\n[ 3  -inf  -inf ]\n[ 1    2   -inf ]\n[ 0    2     1  ]\n```\n\nRow by row:\n\n"
        "```\n[ 1.000  0.000  0.000 ]\n[ 0.269  0.731  0.000 ]\n[ 0.090  {}  0.245 ]\n```\n",
        "0.665",
        "0.565",
    ),
    "scores of the lists in a table": (
        "a.md",
        "| token | query | key |\n|---|---|---|\n| a | (1, 2) | (1, 0) |\n| b | (0, 3) | (2, 2) |\n"
        "| c | (2, −1) | (−1, 1) |\n\n| q \\ k | a | b | c |\n|---|--:|--:|--:|\n| a | 1 | 6 | 1 |\n"
        "| b | 0 | 6 | 3 |\n| c | 2 | 2 | {} |\n",
        "-3",
        "3",
    ),
    "a mirror image": (
        "a.tex",
        "\\[ J = \\begin{{pmatrix}} 0.24 & -0.18 & -0.06 \\\\ -0.18 & 0.21 & {} \\\\ -0.06 & -0.03 & 0.09 "
        "\\end{{pmatrix}} \\]\n",
        "-0.03",
        "-0.30",
    ),
    "a vector beside a matrix": (
        "a.md",
        "$x = \\begin{{bmatrix}} 1 & 3 \\end{{bmatrix}}$, $W = "
        "\\begin{{bmatrix}} 2 & 1 \\\\ 0 & 4 \\end{{bmatrix}}$\n\n"
        "$q = x W = \\begin{{bmatrix}} 2 & {} \\end{{bmatrix}}$\n",
        "13",
        "12",
    ),
    "a list without brackets": ("a.txt", "T = 2   softmax(4, 2, 0)   = 0.8668  {}  0.0159\n", "0.1173", "0.1137"),
    # rows with empty cells, seconds, tables without a header
    "a cash book with empty cells": (
        "a.txt",
        "date    what              in       out    balance\n01.04.  carried over                      212.40\n"
        "08.04.  fees          310.00              522.40\n15.04.  rent                    120.00    402.40\n"
        "02.05.  clocks                   79.80    322.60\n11.05.  entry fees    168.00              490.60\n"
        "20.05.  rent                    120.00    {}\n04.06.  cake           87.35              457.95\n",
        "370.60",
        "380.60",
    ),
    "seconds of a clock": (
        "a.md",
        "| finish | seconds |\n|---|---|\n| 3:00:00 | 10800 |\n| 3:30:00 | 12600 |\n| 4:00:00 | {} |\n"
        "| 4:30:00 | 16200 |\n",
        "14400",
        "14040",
    ),
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
    "a factor of the header": (
        "a.html",
        "<table><tr><th>variant</th><th>heads</th><th>bytes per token</th><th>GiB for 8192 tokens</th></tr>"
        "<tr><td>A</td><td>64</td><td>2,621,440</td><td>20</td></tr>"
        "<tr><td>B</td><td>8</td><td>327,680</td><td>{}</td></tr>"
        "<tr><td>C</td><td>1</td><td>40,960</td><td>0.3125</td></tr></table>",
        "2.5",
        "5",
    ),
    "a factor of the text": (
        "a.md",
        "40 layers, head size 128. Bytes per token are 2 × layers × heads × head size × 2.\n\n"
        "| variant | heads | bytes |\n|---|---:|---:|\n| A | 40 | 819,200 |\n| B | 8 | {} |\n| C | 1 | 20,480 |\n",
        "163,840",
        "168,340",
    ),
    "a function that the text defines": (
        "a.tex",
        "We minimise $f(w) = (w - 3)^2$ from $w_0 = 0$.\n\n\\begin{{tabular}}{{cccc}}\nstep & $w$ & $f(w)$ \\\\\n"
        "0 & 0 & 9 \\\\\n1 & 0.6 & 5.76 \\\\\n2 & 1.08 & 3.6864 \\\\\n3 & 1.464 & {} \\\\\n\\end{{tabular}}\n",
        "2.3593",
        "2.3953",
    ),
    "a formula behind its name": (
        "a.md",
        "The frequency is f and the wavelength 2π / f.\n\ni | f | wavelength\n--|--|--\n0 | 1 | 6.28\n1 | 0.1 | 62.83\n"
        "2 | 0.01 | {}\n3 | 0.001 | 6283.19\n",
        "628.32",
        "682.32",
    ),
    "a sign that is lost in a list": (
        "a.md",
        "x = (3, -1, 2, 4)\n\n- centred: (1, -3, 0, 2)\n- result: (0.5345, {}, 0, 1.0690)\n",
        "-1.6036",
        "1.6036",
    ),
    "a list that is a multiple of another": (
        "a.txt",
        "The scores are 3, 7, 12, 19. Scaled they are 1.061, 2.475, {}, 6.718.\n",
        "4.243",
        "4.423",
    ),
    # items and their sum, arithmetic behind its result
    "items and what they come to": (
        "a.html",
        "<ul><li>Tokens: 30,522 &times; 768 = 23,440,896</li>\n<li>Positions: 393,216</li>\n<li>Norm: 1,536</li>\n"
        "<li>All embeddings together: {}</li></ul>",
        "23,835,648",
        "23,385,648",
    ),
    "arithmetic in brackets behind its result": ("a.md", "So {} % (22.5 + 42.5) were happy.\n", "65.0", "75.0"),
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
    "a derivative": ("a.txt", "h = 2\ndL/dy = 1 - 4 = -3\ndL/dw = dL/dy*h = {}\n", "-6", "6"),
    "a factor that is forgotten": (
        "a.tex",
        "With $n = 1024$ tokens and width $d = 512$:\n$4 n d^2 = 1073741824$ MACs for one layer.\n\n"
        "With kernel width $k = 3$:\n$k n d^2 = {}$ MACs.\n",
        "805306368",
        "268435456",
    ),
    "cosines of named vectors": (
        "a.html",
        "<ul><li>river = (3, 1, 2)</li><li>lake = (2, 2, 1)</li><li>bank = (-1, 4, 0)</li></ul><table>"
        "<tr><th>pair</th><th>cosine</th></tr><tr><td>river, lake</td><td>0.891</td></tr>"
        "<tr><td>river, bank</td><td>0.065</td></tr><tr><td>lake, bank</td><td>{}</td></tr></table>",
        "0.485",
        "0.845",
    ),
    "the sum of a row of numbers": (
        "a.txt",
        "Readings:\n\n  21.3  21.7  20.9  21.8  21.2  21.5\n\nSum of readings      {}\nMean                 21.4\n",
        "128.4",
        "129.4",
    ),
    "two weights in a docstring": (
        "a.py",
        '"""The scores are 2 and 1, and the softmax gives\nthe weights 0.7311 and {}."""\n',
        "0.2689",
        "0.2869",
    ),
    "a softmax in a docstring": (
        "a.py",
        '"""By hand:\n\n    scores     1.2, 0.4, 0.9\n    softmax    0.4566, {}, 0.3383\n"""\n',
        "0.2052",
        "0.2502",
    ),
    "two parts of a whole": (
        "a.tex",
        "Of the $9\\,800$ healthy people, ${}$ test positive and $8\\,820$ negative.\n",
        "980",
        "98",
    ),
    "nats in bits": ("a.md", "The loss is 1.3246 nats per word. In bits that is {} bits per word.\n", "1.911", "0.918"),
    "a product with a thin space": (
        "a.tex",
        "\\begin{{align*}}\n a_{{21}} &= \\frac{{e^1}}{{e^1 + e^3}} = 0.1192, \\\\\n"
        " a_{{22}} &= 1 - a_{{21}} = 0.8808, \\\\\n"
        " o_2 &= 4\\,a_{{21}} - 2\\,a_{{22}} = {}.\n\\end{{align*}}\n",
        "-1.2848",
        "1.2848",
    ),
    "weights told one by one": (
        "a.txt",
        "Divided by 1.4142 the scores are\n\n    2.1213   1.4142   3.5355\n\nSoftmax of these: the third key takes "
        "most, 0.7337, the first {},\nthe second 0.0879.\n",
        "0.1784",
        "0.1874",
    ),
    # functions that the page defines
    "a function at a place": ("a.md", "Let f(x) = x^2 - 3. Then f(2) = 1 and f(5) = {}.\n", "22", "23"),
    "a function in LaTeX at two places": (
        "a.tex",
        "The function $g(w) = (w-1)^2 + 2$ has $g(-1) = 6$ and $g(0.5) = {}$.\n",
        "2.25",
        "2.52",
    ),
    "a difference of a function": ("a.txt", "h(t) = 5 * t^2\n\nh(3) - h(1) = {}\n", "40", "45"),
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
    "a header with a list of the page": (
        "a.md",
        "The model says\n\n    p = (0.55, 0.25, 0.12, 0.08)\n\n| class | −ln p |\n|:--:|:--:|\n| 1 | 0.5978 |\n"
        "| 2 | 1.3863 |\n| 3 | {} |\n| 4 | 2.5257 |\n",
        "2.1203",
        "2.1023",
    ),
    "a column of shares of a list": (
        "a.md",
        "Exponentials: 1.822, 6.050, 13.464. Their sum is 21.336.\n\n| word | weight |\n|---|---|\n| a | 0.0854 |\n"
        "| b | {} |\n| c | 0.6310 |\n",
        "0.2836",
        "0.2863",
    ),
    "sums so far of a row": (
        "a.md",
        "| word | hill | lake | road | town | rest |\n|---|---|---|---|---|---|\n"
        "| p | 0.37 | 0.28 | 0.16 | 0.12 | 0.07 |\n"
        "\nCumulative:\n\n> 0.37, 0.65, {}, 0.93, 1.00\n",
        "0.81",
        "0.71",
    ),
    "F1 of what was named": (
        "a.html",
        "<ul><li>Precision: 63 / 90 = 0.700</li><li>Recall: 63 / 75 = 0.840</li><li>F1: {}</li></ul>",
        "0.764",
        "0.746",
    ),
    "angles of cosines": (
        "a.html",
        "<table><tr><th>pair</th><th>cosine</th><th>angle</th></tr>"
        "<tr><td>a, b</td><td>0.6000</td><td>53.1&deg;</td></tr>"
        "<tr><td>a, c</td><td>0.2500</td><td>{}&deg;</td></tr>"
        "<tr><td>b, c</td><td>0.8000</td><td>36.9&deg;</td></tr></table>",
        "75.5",
        "57.5",
    ),
    "a difference with a lost sign": (
        "a.md",
        "| Club | PF | PA | Diff |\n|---|---|---|---|\n| Owls | 21 | 14 | +7 |\n| Jays | 17 | 19 | -2 |\n"
        "| Rooks | 12 | 16 | {} |\n| Wrens | 18 | 19 | -1 |\n",
        "-4",
        "+4",
    ),
    "weights of names with a word more": (
        "a.md",
        "Essay counts 25 %, quiz average 15 %, oral examination 60 %.\n\n| Name | Essay | Quiz | Oral | Result |\n"
        "|---|---|---|---|---|\n| Ida | 81 | 76 | 92 | 86.85 |\n| Jon | 65 | 80 | 71 | 70.85 |\n"
        "| Kim | 90 | 68 | 77 | {} |\n| Lou | 72 | 95 | 83 | 82.05 |\n",
        "78.90",
        "81.50",
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
    "a part sum below a rule": (
        "a.txt",
        "Where the space goes:\n\n    photos        raw     61.5 GB\n    videos        film    84.2 GB\n"
        "    music         flac    17.8 GB\n    mail          text     3.1 GB\n    ------------------------------\n"
        "    own files     all    {} GB\n    the system            38.9 GB\n    ------------------------------\n"
        "    total                205.5 GB\n",
        "166.6",
        "148.8",
    ),
    "a sum in the sentence below a list": (
        "a.txt",
        "It takes\n\n  - soaking:            2.5 h\n  - cooking, slowly:    1.4 h\n  - peeling by hand:    0.9 h\n"
        "  - cooling outside:    3.7 h\n\nAdded up that makes {} h, so begin early.\n",
        "8.5",
        "7.6",
    ),
    "a total in the sentence below a list": (
        "a.md",
        "We bought\n\n- paint: 48.20 €\n- brushes: 17.35 €\n- tape: 6.90 €\n\nIn total we spent {} € on it.\n",
        "72.45",
        "74.25",
    ),
    "a difference to the first row": (
        "a.tex",
        "\\begin{{tabular}}{{lccc}}\nSetup & Run 1 & Score & $\\Delta$ \\\\\n\\midrule\n"
        "baseline & 54.1 & 53.8 & -- \\\\\nno dropout & 52.0 & 52.5 & $-1.3$ \\\\\n"
        "half the data & 48.8 & 49.2 & ${}$ \\\\\none layer & 44.9 & 45.1 & $-8.7$ \\\\\n\\end{{tabular}}\n",
        "-4.6",
        "-4.9",
    ),
    "a mark behind another number": (
        "a.md",
        "| leg | time | clock | km/h |\n|---|---|---|---|\n| 1 | 41:25 | 0:41:25 | 11.6 |\n"
        "| 2 | 39:50 | 1:21:15 | 12.0 |\n| 3 | 42:37 | {} | 11.2* |\n| 4 | 40:18 | 2:44:10 | 11.9 |\n\n* uphill\n",
        "2:03:52",
        "2:05:52",
    ),
    "a column by a formula of the text": (
        "a.md",
        "The start weight is 120 and the rate is 0.04. We use `w = start * exp(-rate * t)`.\n\n| t | w |\n|---|---|\n"
        "| 1 | 115.29 |\n| 5 | 98.25 |\n| 12 | {} |\n| 30 | 36.14 |\n",
        "74.25",
        "77.25",
    ),
    "two formulas for the rows of one column": (
        "a.md",
        "Rise: `v = top * s / 300`, then `v = low + (top - low) * (1 + cos(pi * z)) / 2`, where `z = (s - 300) / 900`\n"
        "with top 6.0e-3 and low 1.0e-3.\n\n| s | v |\n|---|---|\n| 75 | {} |\n| 150 | 3.00e-3 |\n| 300 | 6.00e-3 |\n"
        "| 525 | 5.27e-3 |\n| 750 | 3.50e-3 |\n| 1200 | 1.00e-3 |\n",
        "1.50e-3",
        "1.50e-2",
    ),
    "a formula in LaTeX with a phase that has no number": (
        "a.md",
        "After the rise, with $q = (k - 400)/1600$,\n\n$$\\lambda(k) = 2\\cdot10^{{-4}} + "
        "\\tfrac12\\,(1.8\\cdot10^{{-3}})\\,(1+\\cos \\pi q).$$\n\n| k | q | rate |\n|---|---|---|\n"
        "| 200 | rise | 1.000e-3 |\n| 400 | 0 | 2.000e-3 |\n"
        "| 800 | 0.25 | 1.736e-3 |\n| 1200 | 0.5 | {} |\n| 1600 | 0.75 | 4.636e-4 |\n| 2000 | 1 | 2.000e-4 |\n",
        "1.100e-3",
        "9.000e-4",
    ),
    "the smaller of two, in the unit of the header": (
        "a.md",
        "`rate = width^-0.5 * min(n^-0.5, n * rise^-1.5)` with width = 400 and rise = 900.\n\n| n | rate × 10³ |\n"
        "|---|---|\n| 100 | 0.185 |\n| 450 | 0.833 |\n| 900 | 1.667 |\n| 2500 | {} |\n| 6400 | 0.625 |\n",
        "1.000",
        "1.100",
    ),
    "a formula that holds for some of the rows": (
        "a.md",
        "The fee rises by fee = 0.9 · day / 3 until day 12, then it is set by hand.\n\n| day | fee |\n|---|---|\n"
        "| 3 | 0.9 |\n| 5 | {} |\n| 8 | 2.4 |\n| 11 | 3.3 |\n| 20 | 3.5 |\n| 30 | 3.8 |\n| 40 | 3.7 |\n",
        "1.5",
        "1.6",
    ),
    "a formula with a name for a column": (
        "a.md",
        "The rule is share = total / n_parts.\n\n| case | total | parts | share |\n|---|---|---|---|\n"
        "| a | 128 | 4 | 32 |\n| b | 384 | 6 | 64 |\n| c | 768 | 12 | 64 |\n| d | 1600 | 25 | 64 |\n"
        "| e | 12288 | 96 | {} |\n",
        "128",
        "138",
    ),
    "the sum of a line of numbers": (
        "a.txt",
        "Six trials:\n\n  31.4  29.8  30.6  32.1  30.9  28.7\n\nTotal time            {}\nMean                  30.58\n"
        "Sum of squared dev.   7.15\n",
        "183.5",
        "184.5",
    ),
    "bytes by the kind of number": (
        "a.md",
        "| rank | weights | as fp16 (MiB) |\n|---|---|---|\n| 4 | 3,145,728 | 6 |\n| 8 | 6,291,456 | {} |\n"
        "| 16 | 12,582,912 | 24 |\n| 64 | 50,331,648 | 96 |\n",
        "12",
        "24",
    ),
    "the cosine of two vectors by their names": (
        "a.md",
        "tree = (2, 0, 1)\n\nleaf = (1, 1, 2)\n\nrock = (-2, 3, 0)\n\n| pair | dot product | cosine |\n|---|---|---|\n"
        "| tree, leaf | 4 | 0.730 |\n| tree, rock | -4 | -0.496 |\n| leaf, rock | 1 | {} |\n",
        "0.113",
        "0.131",
    ),
    "the product of two vectors by their names": (
        "a.md",
        "tree = (2, 0, 1)\n\nleaf = (1, 1, 2)\n\nrock = (-2, 3, 0)\n\n| pair | dot product | cosine |\n|---|---|---|\n"
        "| tree, leaf | 4 | 0.730 |\n| tree, rock | -4 | -0.496 |\n| leaf, rock | {} | 0.113 |\n",
        "1",
        "5",
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
