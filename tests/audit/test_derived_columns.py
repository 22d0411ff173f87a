"""Tables: header synonyms, a column of exponentials, headers that are formulas."""

import pytest

from regard.audit.page import audit

PAGES = [
    ("wrong", "| Token | Logit | Probability |\n|---|---|---|\n| a | 2.0 | 78.1% |\n| b | 0.0 | 21.9% |\n"),
    ("right", "| Token | Logit | Probability |\n|---|---|---|\n| a | 2.0 | 88.1% |\n| b | 0.0 | 11.9% |\n"),
    ("right", "| Token | Logit | Probability |\n|---|---|---|\n| a | 2.0 | 88.1% |\n| b | 0.0 | 50.0% |\n"),
    (
        "wrong",
        "| word | score | exp | weight |\n"
        "|---|---|---|---|\n"
        "| a | 1 | 2.718 | 0.09 |\n"
        "| b | 2 | 7.389 | 0.27 |\n"
        "| c | 3 | 20.086 | 0.67 |\n",
    ),
    (
        "right",
        "| word | score | exp | weight |\n"
        "|---|---|---|---|\n"
        "| a | 1 | 2.718 | 0.09 |\n"
        "| b | 2 | 7.389 | 0.24 |\n"
        "| c | 3 | 20.086 | 0.67 |\n",
    ),
    (
        "wrong",
        "Raw attention scores and what softmax makes of them:\n"
        "\n"
        "| word | score | weight |\n"
        "|---|---|---|\n"
        "| a | 1.0 | .2 |\n"
        "| b | 2.0 | .3 |\n"
        "| c | 3.0 | .5 |\n",
    ),
    (
        "wrong",
        "Raw attention scores and what softmax makes of them:\n"
        "\n"
        "| word | score | weight |\n"
        "|---|---|---|\n"
        "| a | 2.0 | .2 |\n"
        "| b | 3.0 | .3 |\n"
        "| c | 5.0 | .5 |\n",
    ),
    (
        "wrong",
        "Raw attention scores and what softmax makes of them:\n"
        "\n"
        "| score | weight |\n"
        "|---|---|\n"
        "| 2 | .2 |\n"
        "| 3 | .3 |\n"
        "| 5 | .5 |\n",
    ),
    ("wrong", "| x | e^x |\n|---|---|\n| 0 | 1 |\n| 1 | 2.718 |\n| 2 | 7.398 |\n"),
    ("right", "| x | e^x |\n|---|---|\n| 0 | 1 |\n| 1 | 2.718 |\n| 2 | 7.389 |\n"),
    ("wrong", "| a | b | a·b |\n|---|---|---|\n| 1 | 2 | 2 |\n| 3 | 4 | 13 |\n"),
    ("right", "| a | b | a·b |\n|---|---|---|\n| 1 | 2 | 2 |\n| 3 | 4 | 12 |\n"),
    ("wrong", "| word | q·k | /√64 |\n|---|---|---|\n| a | 16 | 2 |\n| b | 24 | 4 |\n"),
    ("right", "| word | q·k | scaled by √64 |\n|---|---|---|\n| a | 16 | 2 |\n| b | 24 | 3 |\n"),
    ("wrong", "| word | q·k | scaled by √64 |\n|---|---|---|\n| a | 16 | 2 |\n| b | 24 | 4 |\n"),
    (
        "wrong",
        "| item | price | quantity | total |\n"
        "|---|---|---|---|\n"
        "| a | 2.50 | 2 | 5.00 |\n"
        "| b | 1.20 | 3 | 3.60 |\n"
        "| c | 4.00 | 2 | 9.00 |\n"
        "| d | 1.00 | 7 | 7.00 |\n",
    ),
    (
        "none",
        "| item | price | quantity | total |\n|---|---|---|---|\n| a | 2.50 | 2 | 6.00 |\n| b | 1.20 | 3 | 4.60 |\n",
    ),
    ("wrong", "| Wort | Punktwert | Gewicht |\n|---|---|---|\n| a | 1 | 0.2 |\n| b | 3 | 0.8 |\n\nsoftmax"),
    ("wrong", "| mot | score | probabilité |\n|---|---|---|\n| a | 1 | 0.2 |\n| b | 3 | 0.8 |\n\nLe softmax donne."),
    ("right", "| token | value before softmax | probability |\n|---|---|---|\n| a | 1 | 0.12 |\n| b | 3 | 0.88 |\n"),
    ("wrong", "| token | value before softmax | probability |\n|---|---|---|\n| a | 1 | 0.22 |\n| b | 3 | 0.78 |\n"),
    ("none", "| Outcome | Score | Probability |\n|---|---|---|\n| a | 1 | 0.2 |\n| b | 2 | 0.3 |\n| c | 3 | 0.5 |\n"),
    ("wrong", "| token | q·k | attention |\n|---|---|---|\n| a | 1 | 20% |\n| b | 2 | 30% |\n| c | 3 | 50% |\n"),
    ("none", "| Outcome | Value | p |\n|---|---|---|\n| a | 1 | 0.2 |\n| b | 2 | 0.3 |\n| c | 3 | 0.5 |\n"),
    ("none", "| Feature | Importance | Score |\n|---|---|---|\n| a | 0.5 | 3 |\n| b | 0.3 | 4 |\n| c | 0.2 | 8 |\n"),
    ("none", "| Student | Raw score | Percent |\n|---|---|---|\n| a | 18 | 90% |\n| b | 10 | 50% |\n"),
    ("right", "| x | x² |\n|---|---|\n| 1 | 1 |\n| 2 | 4 |\n| 3 | 9 |\n"),
    ("wrong", "| x | x² |\n|---|---|\n| 1 | 1 |\n| 2 | 4 |\n| 3 | 8 |\n"),
    ("right", "| n | 2^n |\n|---|---|\n| 1 | 2 |\n| 2 | 4 |\n| 10 | 1024 |\n"),
    ("right", "| p | -ln(p) |\n|---|---|\n| 0.5 | 0.693 |\n| 0.25 | 1.386 |\n"),
    ("right", "| x | sigmoid(x) |\n|---|---|\n| 0 | 0.5 |\n| 2 | 0.881 |\n"),
    ("wrong", "| x | sigmoid(x) |\n|---|---|\n| 0 | 0.5 |\n| 2 | 0.818 |\n"),
    (
        "right",
        "| token | logit | exp(logit) | probability |\n"
        "|---|---|---|---|\n"
        "| a | 2 | 7.39 | 0.665 |\n"
        "| b | 1 | 2.72 | 0.245 |\n"
        "| c | 0 | 1 | 0.090 |\n",
    ),
    (
        "wrong",
        "| token | logit | exp(logit) | probability |\n"
        "|---|---|---|---|\n"
        "| a | 2 | 7.39 | 0.665 |\n"
        "| b | 1 | 2.27 | 0.245 |\n"
        "| c | 0 | 1 | 0.090 |\n",
    ),
    (
        "right",
        "| token | score | e^score | weight |\n"
        "|---|---|---|---|\n"
        "| a | 2.0 | 7.39 | 67% |\n"
        "| b | 1.0 | 2.72 | 24% |\n"
        "| c | 0.0 | 1.00 | 9% |\n",
    ),
    (
        "wrong",
        "| token | score | e^score | weight |\n"
        "|---|---|---|---|\n"
        "| a | 2.0 | 7.39 | 67% |\n"
        "| b | 1.0 | 2.72 | 28% |\n"
        "| c | 0.0 | 1.00 | 9% |\n",
    ),
    (
        "right",
        "| token | energy | probability |\n|---|---|---|\n| a | 1 | 0.731 |\n| b | 2 | 0.269 |\n\nBoltzmann: exp(-E)",
    ),
    ("none", "| A | B | A/B test |\n|---|---|---|\n| 1 | 2 | 0.3 |\n| 3 | 4 | 0.7 |\n"),
    ("right", "| word | q·k | q·k/√4 | softmax |\n|---|---|---|---|\n| a | 4 | 2 | 0.88 |\n| b | 0 | 0 | 0.12 |\n"),
    ("wrong", "| word | q·k | q·k/√4 | softmax |\n|---|---|---|---|\n| a | 4 | 2 | 0.78 |\n| b | 0 | 0 | 0.22 |\n"),
    ("wrong", "| Palabra | Puntuación | Peso |\n|---|---|---|\n| a | 2 | 0.5 |\n| b | 1 | 0.5 |\n\nsoftmax"),
    ("wrong", "| Token | Logits | Probs |\n|---|---|---|\n| a | 3.0 | .8 |\n| b | 1.0 | .2 |\n"),
    (
        "wrong",
        "| Key | Similarity | Attention |\n"
        "|---|---|---|\n"
        "| a | 3.0 | 80% |\n"
        "| b | 1.0 | 20% |\n"
        "\n"
        "Attention is a softmax over the similarities.",
    ),
    ("none", "| Key | Similarity | Attention |\n|---|---|---|\n| a | 0.9 | high |\n| b | 0.1 | low |\n"),
    (
        "none",
        "| token | logit | prob |\n"
        "|---|---|---|\n"
        "| a | 5.0 | 0.6 |\n"
        "| b | 4.0 | 0.22 |\n"
        "| c | 3.0 | 0.08 |\n"
        "\n"
        "Top 3 of the vocabulary.",
    ),
    ("right", "| Token | Logit | P |\n|---|---|---|\n| a | 2.0 | 0.67 |\n| b | 1.0 | 0.24 |\n| c | 0.0 | 0.09 |\n"),
    (
        "wrong",
        "| Token | Logit (z) | exp(z) | p = exp(z)/Σ |\n"
        "|---|---|---|---|\n"
        "| a | 2.0 | 7.389 | 0.665 |\n"
        "| b | 1.0 | 2.718 | 0.245 |\n"
        "| c | 0.0 | 1.000 | 0.190 |\n",
    ),
    (
        "right",
        "| Token | Logit (z) | exp(z) | p = exp(z)/Σ |\n"
        "|---|---|---|---|\n"
        "| a | 2.0 | 7.389 | 0.665 |\n"
        "| b | 1.0 | 2.718 | 0.245 |\n"
        "| c | 0.0 | 1.000 | 0.090 |\n",
    ),
    (
        "right",
        "| word | raw score | scaled (÷8) | weight |\n"
        "|---|---|---|---|\n"
        "| a | 16 | 2 | 0.731 |\n"
        "| b | 8 | 1 | 0.269 |\n"
        "\n"
        "softmax",
    ),
    (
        "wrong",
        "| word | raw score | scaled (÷8) | weight |\n"
        "|---|---|---|---|\n"
        "| a | 16 | 2 | 0.731 |\n"
        "| b | 8 | 1.5 | 0.269 |\n"
        "\n"
        "softmax",
    ),
    (
        "none",
        "| Model | Layers | Heads | Layers·Heads ratio |\n"
        "|---|---|---|---|\n"
        "| a | 12 | 12 | 3 |\n"
        "| b | 24 | 16 | 4 |\n",
    ),
    ("right", "| w | v | w*v |\n|---|---|---|\n| 0.5 | 2 | 1 |\n| 0.25 | 4 | 1 |\n"),
    ("right", "| a | b | a + b | a - b |\n|---|---|---|---|\n| 1 | 2 | 3 | -1 |\n| 5 | 3 | 8 | 2 |\n"),
    ("wrong", "| a | b | a + b | a - b |\n|---|---|---|---|\n| 1 | 2 | 3 | -1 |\n| 5 | 3 | 8 | 3 |\n"),
    ("none", "| Year | Price | Total |\n|---|---|---|\n| 2020 | 3 | 9 |\n| 2021 | 4 | 7 |\n| 2022 | 5 | 6 |\n"),
    (
        "right",
        "| key | dot product | softmax weight |\n"
        "|---|---|---|\n"
        "| k1 | 1 | 0.21 |\n"
        "| k2 | 0 | 0.08 |\n"
        "| k3 | 2 | 0.58 |\n"
        "| k4 | 0.5 | 0.13 |\n",
    ),
    (
        "wrong",
        "| key | dot product | attention weight |\n"
        "|---|---|---|\n"
        "| k1 | 1 | 0.25 |\n"
        "| k2 | 0 | 0.15 |\n"
        "| k3 | 2 | 0.60 |\n",
    ),
    (
        "none",
        "| Head | Dot product time | Weight (kg) |\n"
        "|---|---|---|\n"
        "| k1 | 1 | 0.25 |\n"
        "| k2 | 0 | 0.15 |\n"
        "| k3 | 2 | 0.60 |\n",
    ),
    ("right", "| Wort | Punktwert | Anteil |\n|---|---|---|\n| a | 2,0 | 88,1 % |\n| b | 0,0 | 11,9 % |\n\nSoftmax"),
    ("wrong", "| Wort | Punktwert | Anteil |\n|---|---|---|\n| a | 2,0 | 78,1 % |\n| b | 0,0 | 21,9 % |\n\nSoftmax"),
    ("wrong", "| n | 1.05^n |\n|---|---|\n| 2 | 1.1025 |\n| 3 | 1.1576 |\n| 4 | 1.2515 |\n| 5 | 1.2763 |\n"),
    ("right", "| p | q | max(p,q) |\n|---|---|---|\n| 1 | 2 | 2 |\n| 0.5 | 0.25 | 0.5 |\n\n2 + 2 = 4\n"),  # row by row
]


def outcome(text: str) -> str:
    verdicts = {finding.verdict.value for finding in audit(text).findings}
    return next((worst for worst in ("cannot run", "wrong") if worst in verdicts), "right" if verdicts else "none")


@pytest.mark.parametrize("expected, text", PAGES)
def test_a_page(expected: str, text: str) -> None:
    assert outcome(text) == expected, [str(finding) for finding in audit(text).findings]


WRONG = (
    "| word | score | exp | weight |\n|---|---|---|---|\n"
    "| a | 1 | 2.718 | 0.09 |\n| b | 2 | 7.389 | 0.27 |\n| c | 3 | 20.086 | 0.67 |\n"
)


def test_the_verdict_does_not_depend_on_neighbours() -> None:
    alone = [(f.claimed, f.verdict) for f in audit(WRONG).failures]
    beside = [(f.claimed, f.verdict) for f in audit(WRONG + "\nand\n\n" + WRONG.replace("0.27", "0.24")).failures]
    assert alone == beside and len(alone) == 1
