"""Entropy and friends, in bits.

A die with four faces and probabilities 1/2, 1/4, 1/8, 1/8 has entropy

    0.5*1 + 0.25*2 + 0.125*3 + 0.125*3 = 1.75 bits

while a fair one has log2(4) = 2 bits.

>>> entropy([0.5, 0.25, 0.125, 0.125])
1.75
>>> round(entropy([0.9, 0.1]), 3)
0.469
>>> round(cross([0.5, 0.25, 0.125, 0.125], [0.25, 0.25, 0.25, 0.25]), 3)
2.0
>>> round(kl([0.5, 0.25, 0.125, 0.125], [0.25, 0.25, 0.25, 0.25]), 3)
0.75
>>> round(kl([0.9, 0.1], [0.5, 0.5]), 3)
0.531
>>> round(kl([0.5, 0.5], [0.9, 0.1]), 3)
0.737

The last two differ: KL is no distance.
"""
from math import log2


def entropy(p):
    return -sum(x * log2(x) for x in p if x > 0)


def cross(p, q):
    return -sum(x * log2(y) for x, y in zip(p, q) if x > 0)


def kl(p, q):
    return cross(p, q) - entropy(p)


if __name__ == "__main__":
    import doctest
    doctest.testmod()
