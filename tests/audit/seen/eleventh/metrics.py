"""Binary cross-entropy and friends, for the tutorial (chapter 4, p. 61).

For p = 0.9, 0.6, 0.2, 0.8 and labels 1, 1, 0, 1 the terms are
0.1054, 0.5108, 0.2231 and 0.2231, their mean is 0.2656.
"""
import math


def bce(probs, labels):
    """Mean binary cross-entropy in nats."""
    total = 0.0
    for p, y in zip(probs, labels):
        total -= math.log(p) if y else math.log(1 - p)
    return total / len(labels)


def brier(probs, labels):
    return sum((p - y) ** 2 for p, y in zip(probs, labels)) / len(labels)


P, Y = [0.9, 0.6, 0.2, 0.8], [1, 1, 0, 1]
print(round(bce(P, Y), 4))      # 0.2656
print(round(brier(P, Y), 4))    # (0.01 + 0.16 + 0.04 + 0.04) / 4 = 0.0625
print(round(bce([0.5] * 4, Y), 4))   # ln 2 = 0.6931
assert abs(brier(P, Y) - 0.0625) < 1e-12

# focal loss with gamma = 2 scales the term of p = 0.6 by (1 - 0.6)^2 = 0.16:
print(round(0.16 * -math.log(0.6), 4))   # 0.0817
# and hardly anything is left of the easy one: 0.1^2 * 0.1054 ~ 0.001
