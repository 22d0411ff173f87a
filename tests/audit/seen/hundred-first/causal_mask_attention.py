"""Causal attention on three tokens, small enough to check by hand.

Raw scores (already divided by sqrt(d)):

    [[ 0.9,  1.4, -0.2],
     [ 0.3,  1.1,  2.0],
     [ 1.0, -0.5,  0.6]]

After the causal mask the upper triangle is -inf, so it contributes exp(-inf) = 0:

    row 0:  exp(0.9) = 2.4596                                   sum 2.4596
    row 1:  exp(0.3) = 1.3499, exp(1.1) = 3.0042                sum 4.3540
    row 2:  exp(1.0) = 2.7183, exp(-0.5) = 0.6065, exp(0.6) = 1.8221   sum 5.1469

Weights:

    [[1.0000, 0.0000, 0.0000],
     [0.3100, 0.6900, 0.0000],
     [0.5281, 0.1278, 0.3540]]
"""
import math

SCORES = [[0.9, 1.4, -0.2], [0.3, 1.1, 2.0], [1.0, -0.5, 0.6]]
VALUES = [[1.0, 0.0], [0.0, 2.0], [3.0, -1.0]]


def causal_softmax(scores):
    out = []
    for i, row in enumerate(scores):
        e = [math.exp(s) if j <= i else 0.0 for j, s in enumerate(row)]
        total = sum(e)
        out.append([x / total for x in e])
    return out


def mix(weights, values):
    return [[sum(w * v[c] for w, v in zip(row, values)) for c in range(2)] for row in weights]


if __name__ == "__main__":
    w = causal_softmax(SCORES)
    for row in mix(w, VALUES):
        print([round(x, 4) for x in row])
    # [1.0, 0.0]
    # [0.31, 1.3799]
    # [1.5902, -0.1183]

    # A full 3x3 matrix has 9 entries, 3 + 2 + 1 = 6 of them survive the mask (66.7%).
    # For 1024 tokens: 1024 * 1025 / 2 = 524800 of 1048576, i.e. 50.05%.
