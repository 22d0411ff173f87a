"""Toy attention for the Wednesday tutorial (tested with Python 3.11).

Worked example, so that you can check the code by hand
------------------------------------------------------
Scores for one query (already scaled):   0.6, -1.2, 2.4
Exponentials:                            1.822, 0.301, 11.023
Their sum:                               13.146
Weights:                                 0.139, 0.023, 0.838

The values are plain numbers here, 5, -3 and 1, so the output is

    0.139 * 5 + 0.023 * (-3) + 0.838 * 1 = 1.60

If all weights were equal we would get (5 - 3 + 1) / 3 = 1 instead.
"""
import math


def softmax(scores):
    # Subtracting the maximum is only for numerical safety: with the scores
    # above the shifted ones are -1.8, -3.6 and 0.
    top = max(scores)
    exps = [math.exp(s - top) for s in scores]
    total = sum(exps)
    return [e / total for e in exps]


def attend(scores, values):
    return sum(w * v for w, v in zip(softmax(scores), values))


if __name__ == "__main__":
    # TODO(ben, 2024-11-05): also print the entropy
    print(attend([0.6, -1.2, 2.4], [5, -3, 1]))
