"""Small pages, each right, wrong, unable to run, or with nothing to judge: the rules, one layout at a time."""

import pytest

from regard.audit.page import audit


def outcome(text: str) -> str:
    """The worst thing an audit says of a page."""
    verdicts = {finding.verdict.value for finding in audit(text, "page.md").findings}
    for worst in ("cannot run", "wrong"):
        if worst in verdicts:
            return worst
    return "right" if verdicts else "none"


ARITHMETIC = [
    ("right", "`12 × 64 = 768`"),
    ("wrong", "12 × 64 = 786"),
    ("right", "768*768 = 589,824"),
    ("wrong", "768*768 = 589,842"),
    ("right", "The loss is -ln(0.25) = 1.386."),
    ("wrong", "-ln(0.25) = 1.368"),
    ("right", "loss = -log(0.2693) ≈ 1.312"),
    ("wrong", "loss = -log(0.2693) ≈ 1.321"),
    ("right", "$\\frac{2}{\\sqrt{4}} = 1$"),
    ("wrong", "$\\frac{2}{\\sqrt{4}} = 2$"),
    ("right", "$0.5 \\cdot 0.66 + 0.2 \\times 0.525 \\approx 0.435$"),
    ("wrong", "$0.5 \\cdot 0.66 + 0.2 \\times 0.525 \\approx 0.445$"),
    ("right", "np.dot([1,2],[3,4]) = 11"),
    ("wrong", "np.dot([1,2],[3,4]) = 12"),
    ("right", "[1,2]·[3,4] = 11"),
    ("wrong", "[1,2]·[3,4] = 10"),
    ("right", "[[1,0],[0,1]] @ [3,4] = [3,4]"),
    ("wrong", "[[1,0],[0,1]] @ [3,4] = [4,3]"),
    ("right", "softmax([1,2,3]) = [0.09, 0.24, 0.67]"),
    ("wrong", "softmax([1,2,3]) = [0.09, 0.25, 0.67]"),
    ("right", "50% + 25% = 75%"),
    ("wrong", "50% + 25% = 80%"),
    ("right", "3/4 = 75%"),
    ("right", "12/50 * 100 = 24%"),
    ("right", "$\\text{softmax}([2, 1, 0.1]) \\approx [0.66, 0.24, 0.10]$"),
    ("wrong", "$\\text{softmax}([2, 1, 0.1]) \\approx [0.70, 0.20, 0.10]$"),
    ("right", "q·k = 0.2*0.1 + 0.3*0.4 = 0.14"),
    ("wrong", "q·k = 0.2*0.1 + 0.3*0.4 = 0.16"),
    ("right", "score = 112/√196 = 8"),
    ("wrong", "score = 112 / √196 = 9"),
    ("right", "e^2 ≈ 7.389"),
    ("wrong", "e^2 ≈ 7.398"),
    ("right", "exp(0.5) -> 1.6487"),
    ("wrong", "exp(0.5) -> 1.6847"),
    ("right", "2^10 = 1024"),
    ("right", "2**10 = 1024"),
    ("wrong", "2^10 = 1000"),
    ("right", "sigmoid(0) = 0.5"),
    ("wrong", "sigmoid(2) = 0.78"),
    ("right", "relu(-3) = 0"),
    ("right", "tanh(1) ≈ 0.7616"),
    ("right", "1/3 = 0.333..."),
    ("right", "2/3 ≈ 0.67"),
    ("none", "d_k = 64"),
    ("none", "lr = 0.1"),
    ("none", "x > 3 and y <= 5"),
    ("none", "pages 10-20 = chapter 3"),
    ("none", "version 1.2.3 = stable"),
    ("none", "https://a.b/c?x=1+1=3"),
    ("none", "Released 2024-01-15 = v3"),
    ("none", "1 GB = 1024 * 1024 * 1024 bytes and 60 * 60 = 1 hour"),
    ("none", "f(2+1) = 9"),
    ("none", "2x + 3*4 = 12"),
    ("none", "for i in range(3): x += 2*3"),
    ("none", "7 + 8 = 3 (mod 12)"),
    ("none", "1 + 1 = 10 in binary"),
    ("none", "9**9**9 = 3"),
    ("none", "100 + 10% = 110"),
    ("none", "W is 4×2"),
    ("none", "size 224×224×3 → 112×112×64"),
    ("right", "(10, 10) @ (10, 64) → (10, 64)"),
    ("cannot run", "(10, 10) @ (12, 64) → (10, 64)"),
    ("wrong", "(10, 10) @ (10, 64) → (10, 10)"),
    ("right", "(2×3) @ (3×4) = (2×4)"),
    ("right", "(1, 2) · (3, 4) = 11"),
    ("wrong", "(1, 2) · (3, 4) = 12"),
    ("right", "(1, 2) + (3, 4) = (4, 6)"),
    ("right", "The weights 0.2, 0.3 and 0.5 sum to 1."),
    ("wrong", "The weights 0.2, 0.3 and 0.6 sum to 1."),
    ("right", "[0.33, 0.33, 0.33] sums to 1"),
    ("wrong", "[0.5, 0.3, 0.1] → sums to 1.0"),
    ("right", "0.25 + 0.75 = 1.0"),
    ("right", "50%, 30% and 20% add up to 100%"),
    ("wrong", "50%, 30% and 25% add up to 100%"),
    ("right", "Weights: cat 0.6, mat 0.3, dog 0.1 (sums to 1)"),
    ("wrong", "Weights: cat 0.6, mat 0.3, dog 0.2 (sums to 1)"),
    ("right", "softmax of [1, 2, 3] is [0.09, 0.24, 0.67]"),
    ("wrong", "softmax of [1, 2, 3] is about [0.10, 0.24, 0.66]"),
    ("right", "The dot product of [1, 2] and [3, 4] is 11."),
    ("wrong", "The dot product of [1, 2] and [3, 4] is 14."),
    ("right", "8 heads × 64 dims = 512 dims"),
    ("wrong", "8 heads × 64 dims = 521 dims"),
    ("right", "0.2*0.66 + 0.9*0.525 = 0.132 + 0.472 = 0.604"),
    ("wrong", "0.2*0.66 + 0.9*0.525 = 0.132 + 0.482 = 0.604"),
    ("right", "- 3 x 4 = 12"),
    ("wrong", "- 3 x 4 = 13"),
    ("right", "**0.5 * 2 = 1.0**"),
    ("right", "| a | 2*3 = 6 |\n|---|---|\n| b | 3*3 = 9 |"),
    ("wrong", "| a | b |\n|---|---|\n| b | 3*3 = 8 |"),
    ("right", "```python\nW = [[1, 2], [3, 4]]\n```\nSo `[1, 1] @ W` = [4, 6]"),
    ("wrong", "```python\nW = [[1, 2], [3, 4]]\n```\nSo `[1, 1] @ W` = [4, 7]"),
    ("right", "```\nW = [[1, 2], [3, 4]]\n[1, 1] @ W.T = [3, 7]\n```"),
    ("wrong", "```\nW = [[1, 2], [3, 4]]\n[1, 1] @ W.T = [4, 6]\n```"),
    ("right", "```python\n>>> softmax([1, 2, 3])\narray([0.09003057, 0.24472847, 0.66524096])\n```"),
    ("wrong", "```python\n>>> softmax([1, 2, 3])\narray([0.09003057, 0.24472847, 0.66524196])\n```"),
    ("right", "```python\nnp.dot([1, 2], [3, 4])  # 11\n```"),
    ("wrong", "```python\nnp.dot([1, 2], [3, 4])  # 12\n```"),
    ("right", "```python\nx = 0.5 * 3  # = 1.5\n```"),
    ("wrong", "```python\nx = 0.5 * 3  # = 1.6\n```"),
    (
        "right",
        "$$\n"
        "\\begin{bmatrix} 1 & 2 \\\\ 3 & 4 \\end{bmatrix} \\begin{bmatrix} 1 \\\\ 1 \\end{bmatrix} "
        "= \\begin{bmatrix} 3 \\\\ 7 \\end{bmatrix}\n"
        "$$",
    ),
    ("wrong", "$\\text{softmax}\\begin{pmatrix}1\\\\2\\end{pmatrix} = \\begin{pmatrix}0.27\\\\0.37\\end{pmatrix}$"),
    ("wrong", "7 / 2 = 3"),
    ("right", "cos = 11 / (sqrt(5) * 5) = 0.984"),
    ("wrong", "cos = 11 / (sqrt(5) * 5) = 0.948"),
    ("right", "‖[3, 4]‖ = 5"),
    ("right", "norm([3,4]) = 5"),
    ("wrong", "norm([3,4]) = 8"),
    ("right", "mean([1,2,3]) = 2"),
    ("right", "(2+3)/4 = 5/4 = 1.25"),
    ("wrong", "(2+3)/4 = 5/4 = 1.35"),
    ("right", "exp(1)/(exp(1)+exp(2)) = 2.72/(2.72+7.39) = 0.269"),
    ("wrong", "exp(1)/(exp(1)+exp(2)) = 2.72/(2.72+7.39) = 0.296"),
    ("right", "1.5e3 * 2 = 3000"),
    ("right", "1,024 × 2 = 2,048"),
    ("wrong", "1,024 × 2 = 2,084"),
    ("right", ".5 * .5 = .25"),
    ("wrong", ".5 * .5 = .52"),
    ("right", "−0.5 × 2 = −1"),
    ("wrong", "−0.5 × 2 = 1"),
    ("right", "5! = 120"),
    ("right", "-log2(0.25) = 2"),
    ("right", "−ln 0.25 ≈ 1.386"),
    ("right", "0.5 * [0.2, 0.4] + 0.5 * [0.6, 0.8] = [0.4, 0.6]"),
    ("wrong", "0.5 * [0.2, 0.4] + 0.5 * [0.6, 0.8] = [0.4, 0.7]"),
    ("right", "So 12 × 64 equals 768."),
    ("right", "12 layers × 7,087,872 = 85,054,464 parameters"),
    ("right", "4 * 768**2 = 2,359,296"),
    ("right", "768*768 ≈ 590,000"),
    ("wrong", "768*768 = 590,000"),
    ("right", "`0.1*1 + 0.2*2 = 0.1 + 0.4 = 0.5` - the first score"),
    ("right", "The cat's weight is 0.5*0.4 = 0.2, the dog's 0.5*0.6 = 0.3."),
    ("wrong", "The cat's weight is 0.5*0.4 = 0.2, the dog's 0.5*0.6 = 0.4."),
    ("right", "(0.5 × 2 = 1)"),
    ("wrong", "(0.5 × 2 = 1.1)"),
    ("right", "softmax([2.0, 1.0, 0.1]) → [0.659, 0.242, 0.099]"),
    ("right", "softmax([0.71, 1.41]) ≈ [0.330, 0.670]"),
    ("right", "sqrt(64) = 8"),
    ("wrong", "sqrt(64) = 9"),
    ("right", "√64 = 8"),
    ("wrong", "√64 = 7"),
    ("right", "1 / √2 ≈ 0.7071"),
    ("right", "[1, 2, 3] * 2 = [2, 4, 6]"),
    ("right", "[4, 2] / 2 = [2, 1]"),
    ("right", "(0.6·1 + 0.4·0, 0.6·0 + 0.4·1) = (0.6, 0.4)"),
    ("wrong", "(0.6·1 + 0.4·0, 0.6·0 + 0.4·1) = (0.6, 0.5)"),
    ("right", "[0.6·1 + 0.4·0, 0.6·0 + 0.4·1] = [0.6, 0.4]"),
    ("wrong", "= [1]\n\nLLM: 0.3*2 ≈ 0.7"),
    ("right", "$e^{0.5} = 1.6487$"),
    ("right", "$e^{1.5} + e^{0.5} = 4.4817 + 1.6487 = 6.1304$"),
    ("wrong", "$e^{1.5} + e^{0.5} = 4.4817 + 1.6487 = 6.1404$"),
    ("right", "p = e^2/(e^2+e^1) = 7.389/(7.389+2.718) = 0.731"),
    ("right", "1 - 0.9 = 0.1"),
    ("right", "max(1, 5, 3) = 5"),
    ("right", "log(100) = 2"),
    ("right", "log(8) = 3 bits"),
    ("right", "cos(60°) = 0.5"),
    ("none", "Figure 3 = 4 panels"),
    ("none", "a = b + c = 5"),
    ("right", "Σ = 0.2 + 0.8 = 1"),
    ("right", "var([1,2,3,4]) = 1.25"),
    ("right", "LayerNorm([1, 2, 3]) = [-1.22, 0, 1.22]"),
    ("right", "0.3² + 0.4² = 0.25"),
    ("wrong", "0.3² + 0.4² = 0.35"),
    ("right", "√(0.3² + 0.4²) = 0.5"),
]

LAYOUTS = [
    (
        "none",
        "# Install\n"
        "\n"
        "Run `pip install foo==1.2.3` then `make -j4`.\n"
        "\n"
        "- Python >= 3.8\n"
        "- RAM = 16 GB\n"
        "\n"
        "Copyright 2019-2024. a = b. Use `--size=3x4`.\n",
    ),
    ("none", "It costs 3-5 = cheap. Score 3:2 = win. 1/2 = half. The ratio is 16/9 = wide.\n"),
    ("right", "context = 0.5 * [1, 2] +\n0.5 * [3, 4] = [2, 3]"),
    ("wrong", "```\nctx = 0.5 * [1, 2]\n    + 0.5 * [3, 4]\n    = [2, 4]\n```"),
    ("right", "```\nctx = 0.5 * [1, 2]\n    + 0.5 * [3, 4]\n    = [2, 3]\n```"),
    (
        "wrong",
        "$$\n"
        "\\begin{aligned}\n"
        "s &= 0.5 \\cdot 0.2 + 0.3 \\cdot 0.4 \\\\\n"
        "&= 0.10 + 0.12 \\\\\n"
        "&= 0.24\n"
        "\\end{aligned}\n"
        "$$",
    ),
    (
        "right",
        "$$\n"
        "\\begin{aligned}\n"
        "s &= 0.5 \\cdot 0.2 + 0.3 \\cdot 0.4 \\\\\n"
        "&= 0.10 + 0.12 \\\\\n"
        "&= 0.22\n"
        "\\end{aligned}\n"
        "$$",
    ),
    ("wrong", "loss = -ln(0.2693)\n     = 1.32"),
    ("right", "scores = [1, 2, 3]\n\nsoftmax(scores) ≈ [0.09, 0.24, 0.67]"),
    ("wrong", "scores = [1, 2, 3]\n\nsoftmax(scores) ≈ [0.10, 0.24, 0.66]"),
    ("right", "`q = [1, 0, 1]` and `k = [0.5, 0.2, 0.3]`, so `q · k = 1*0.5 + 0*0.2 + 1*0.3 = 0.8`."),
    ("wrong", "`q = [1, 0, 1]` and `k = [0.5, 0.2, 0.3]`, so `q · k = 0.9`."),
    ("right", "softmax([1.0, 2.0]) = [exp(1)/(exp(1)+exp(2)), exp(2)/(exp(1)+exp(2))] = [0.269, 0.731]"),
    ("right", "100 * 0.5 = 50\n\n200 * 0.5 = 100"),
    ("none", "Python: `x = 5 % 3 = 2`"),
    ("right", "0.1 × 10 = 1.0 (so it cancels)"),
    ("right", "Parameters: 4 × (768 × 768) + 4 × 768 = 2,362,368."),
    ("wrong", "Parameters: 4 × (768 × 768) + 4 × 768 = 2,326,368."),
    ("right", "\\[ -\\log(0.7) \\approx 0.357 \\]"),
    ("wrong", "\\[ -\\log(0.7) \\approx 0.375 \\]"),
    ("right", "\\( \\frac{e^{2}}{e^{2}+e^{1}+e^{0.1}} = \\frac{7.39}{7.39+2.72+1.11} \\approx 0.659 \\)"),
    ("wrong", "\\( \\frac{e^{2}}{e^{2}+e^{1}+e^{0.1}} = \\frac{7.39}{7.39+2.72+1.11} \\approx 0.695 \\)"),
    ("right", "H = -(0.5 * log2(0.5) + 0.5 * log2(0.5)) = 1 bit"),
    ("none", "2 + 2 = 4ever"),
    ("right", "(3 - 1) / 2 = 1"),
    ("right", "10 - 4 - 3 = 3"),
    ("right", "2 * 3 ** 2 = 18"),
    ("right", "-2 ** 2 = -4"),
    ("right", "8 / 2 / 2 = 2"),
    ("right", "8/(2*2) = 2"),
    ("wrong", "10 - 4 - 3 = 9"),
    ("right", "cos([1, 0], [1, 1]) ≈ 0.707"),
    ("right", "cosine_similarity([1, 0], [1, 1]) ≈ 0.707"),
    ("wrong", "cosine_similarity([1, 0], [1, 1]) ≈ 0.717"),
    ("right", "The attention weights are softmax([2, 1, 0]) = [66.5%, 24.5%, 9.0%]."),
    ("wrong", "The attention weights are softmax([2, 1, 0]) = [66.5%, 25.5%, 9.0%]."),
]

LISTINGS = [
    ("none", "```\n2     = [3, 4] @ [4, 3]\n3     = [3, 3]\n```"),
    ("none", "scores: [2, 3] × [3, 4] = [2, 4]"),
    ("right", "512 = 8 × 64"),
    ("wrong", "521 = 8 × 64"),
]

TABLES = [
    (
        "right",
        "Softmax example\n"
        "\n"
        "| token | logit | probability |\n"
        "|---|---|---|\n"
        "| a | 1 | 0.09 |\n"
        "| b | 2 | 0.24 |\n"
        "| c | 3 | 0.67 |\n",
    ),
    (
        "wrong",
        "Softmax example\n"
        "\n"
        "| token | logit | probability |\n"
        "|---|---|---|\n"
        "| a | 1 | 0.09 |\n"
        "| b | 2 | 0.27 |\n"
        "| c | 3 | 0.67 |\n",
    ),
    ("none", "| Criterion | Score | Weight |\n|---|---|---|\n| cost | 3 | 0.5 |\n| speed | 4 | 0.5 |\n"),
    ("wrong", "attention\n\ntoken\tscore\tsoftmax\na\t1.0\t0.2\nb\t2.0\t0.3\nc\t3.0\t0.5\n"),
    ("right", "```\ntoken   score   softmax\na       1.0     0.09\nb       2.0     0.24\nc       3.0     0.67\n```\n"),
    ("wrong", "```\ntoken   score   softmax\na       1.0     0.09\nb       2.0     0.24\nc       3.0     0.57\n```\n"),
    (
        "right",
        "Softmax:\n"
        "\n"
        "│ token │ score │ α    │\n"
        "├───────┼───────┼──────┤\n"
        "│ a     │ 1     │ 9%   │\n"
        "│ b     │ 2     │ 24%  │\n"
        "│ c     │ 3     │ 67%  │\n",
    ),
    (
        "wrong",
        "Softmax:\n"
        "\n"
        "│ token │ score │ α    │\n"
        "├───────┼───────┼──────┤\n"
        "│ a     │ 1     │ 9%   │\n"
        "│ b     │ 2     │ 34%  │\n"
        "│ c     │ 3     │ 67%  │\n",
    ),
    (
        "right",
        "The scores are divided by √64 and then go through softmax.\n"
        "\n"
        "| word | q·k | weight |\n"
        "|---|---|---|\n"
        "| a | 112 | 0.88 |\n"
        "| b | 96 | 0.12 |\n",
    ),
    ("right", "| | cat | dog | fish |\n|---|---|---|---|\n| score | 1 | 2 | 3 |\n| softmax | 0.09 | 0.24 | 0.67 |\n"),
    ("wrong", "| | cat | dog | fish |\n|---|---|---|---|\n| score | 1 | 2 | 3 |\n| softmax | 0.09 | 0.25 | 0.67 |\n"),
    (
        "right",
        "softmax\n"
        "\n"
        "| t | score | exp | prob |\n"
        "|---|---|---|---|\n"
        "| a | 1 | 2.718 | 0.09 |\n"
        "| b | 2 | 7.389 | 0.24 |\n"
        "| c | 3 | 20.086 | 0.67 |\n"
        "| Sum | | 30.193 | 1.00 |\n",
    ),
    (
        "wrong",
        "softmax\n"
        "\n"
        "| t | score | exp | prob |\n"
        "|---|---|---|---|\n"
        "| a | 1 | 2.718 | 0.09 |\n"
        "| b | 2 | 7.398 | 0.24 |\n"
        "| c | 3 | 20.086 | 0.67 |\n",
    ),
    ("right", "| values | mean | variance |\n|---|---|---|\n| 2, 4, 6 | 4 | 2.67 |\n| 1, 2, 9 | 4 | 12.67 |\n"),
    ("wrong", "| values | mean | variance |\n|---|---|---|\n| 2, 4, 6 | 4 | 2.67 |\n| 1, 2, 9 | 5 | 12.67 |\n"),
    ("none", "| Model | Score | % of budget |\n|---|---|---|\n| a | 90 | 50 |\n| b | 80 | 50 |\n"),
    (
        "wrong",
        "Each row sums to 1 below? \n"
        "\n"
        "| q | a | b |\n"
        "|---|---|---|\n"
        "| x | 0.4 | 0.6 |\n"
        "| y | 0.3 | 0.6 |\n"
        "\n"
        "Each row sums to 1.\n",
    ),
    ("right", "| q | a | b |\n|---|---|---|\n| x | 0.4 | 0.6 |\n| y | 0.3 | 0.7 |\n\nEach row sums to 1.\n"),
    (
        "wrong",
        "Scores (dot products):\n"
        "\n"
        "| | bank | river | money |\n"
        "|---|---|---|---|\n"
        "| bank | 1.0 | 4.0 | 2.0 |\n"
        "\n"
        "After softmax, river receives 70% of the attention.\n",
    ),
    (
        "right",
        "Scores (dot products):\n"
        "\n"
        "| | bank | river | money |\n"
        "|---|---|---|---|\n"
        "| bank | 1.0 | 4.0 | 2.0 |\n"
        "\n"
        "After softmax, river receives 84% of the attention.\n",
    ),
    (
        "wrong",
        "| word | score |\n"
        "|---|---|\n"
        "| bank | 1 |\n"
        "| river | 4 |\n"
        "| money | 2 |\n"
        "\n"
        'Softmax turns these into shares: "river" gets 90%, "money" 11% and "bank" 4%.\n',
    ),
    (
        "right",
        "| word | score |\n"
        "|---|---|\n"
        "| bank | 1 |\n"
        "| river | 4 |\n"
        "| money | 2 |\n"
        "\n"
        'Softmax turns these into shares: "river" gets 84%, "money" 11% and "bank" 4%.\n',
    ),
    (
        "none",
        "| word | score |\n"
        "|---|---|\n"
        "| bank | 1 |\n"
        "| river | 4 |\n"
        "\n"
        "Softmax matters. Accuracy on river improved by 30%.\n"
        "We used 80% of the data for training.\n",
    ),
]

PERCENTAGES = [
    ("right", "The logits are cat: 2.0, dog: 1.0, fish: 0.1. Softmax gives cat 66%.\n"),
    ("wrong", "The logits are cat: 2.0, dog: 1.0, fish: 0.1.\n\nThe softmax puts 76% on cat.\n"),
    ("right", "The logits are cat: 2.0, dog: 1.0, fish: 0.1.\n\nThe softmax puts 66% on cat.\n"),
    ("none", "Scores:\n- cat: 2.0\n- dog: 1.0\n\nWith softmax more than 70% goes to cat.\n"),
    ("wrong", "Scores:\n- cat: 2.0\n- dog: 1.0\n\nWith softmax 80% goes to cat.\n"),
]

SHAPES = [
    ("cannot run", "```python\nA = np.zeros((3, 4))\nB = np.ones((5, 2))\nC = A @ B\n```"),
    ("none", "```python\nA = np.zeros((3, 4))\nB = np.ones((4, 2))\nC = A @ B\n```"),
    ("cannot run", "```python\nx = np.array([1.0, 2.0])\nW = np.array([[1, 2], [3, 4], [5, 6]])\ny = x @ W\n```"),
    ("none", "```python\nx = np.array([1.0, 2.0])\nW = np.array([[1, 2], [3, 4], [5, 6]])\ny = x @ W.T\n```"),
    ("cannot run", "`Q` has shape (4, 8) and `K` has shape (4, 8).\n\n```python\nscores = Q @ K\n```"),
    ("none", "`Q` has shape (4, 8) and `K` has shape (4, 8).\n\n```python\nscores = Q @ K.T\n```"),
    ("none", "```python\ndef f(x, W):\n    return x @ W\n```"),
    ("none", "x = [1, 2]\n\n```python\nx = np.array([1, 2])\nW = load()\ny = x @ W\n```"),
    ("cannot run", "```python\nq = torch.randn(5, 64)\nk = torch.randn(7, 64)\ns = q @ k\n```"),
    (
        "none",
        "```python\n"
        "q = torch.randn(5, 64)\n"
        "k = torch.randn(7, 64)\n"
        "s = q @ k.T\n"
        "v = torch.randn(7, 32)\n"
        "o = softmax(s) @ v\n"
        "```",
    ),
    ("cannot run", "```python\nW = [[1, 2], [3, 4]]\ny = W.T\n```"),
    ("cannot run", "```python\ne_i = q · k_i\na_i = softmax(e_i)\n```"),
    ("cannot run", "```\nc = [h1 | h2 | h3]\n```\n```\ny = W1 @ h1 + W2 @ h2 + ... + W3 @ h3\n```"),
    ("none", "```\nc = [h1 | h2 | h3]\n```\n```\ny = h1 @ W1 + h2 @ W2 + ... + h3 @ W3\n```"),
    ("none", "```python\ne = q · k\na = softmax(e)\n```"),
    ("none", "[1 2]   [5 6]   [19 22]\n[3 4] × [7 8] = [43 50]\n"),
    ("none", "[1 2] × [5 6] = [19 22]\n[3 4]   [7 8]   [43 50]\n"),
    ("none", "```\nx @ y\n```"),
]


@pytest.mark.parametrize("expected, text", [*ARITHMETIC, *LAYOUTS, *LISTINGS, *TABLES, *PERCENTAGES, *SHAPES])
def test_a_small_page(expected: str, text: str) -> None:
    assert outcome(text) == expected, [str(finding) for finding in audit(text).findings]
