#!/usr/bin/env python3
# Entropy helpers I use in the compression course.
from math import log2


def entropy(p):
    """Entropy in bits.

    >>> entropy([0.5, 0.5])
    1.0
    >>> entropy([0.25, 0.25, 0.25, 0.25])
    2.0
    >>> round(entropy([0.9, 0.1]), 4)
    0.469
    >>> entropy([0.5, 0.25, 0.125, 0.125])
    1.75
    """
    return -sum(x * log2(x) for x in p if x > 0)


def cross(p, q):
    """Cross-entropy in bits.

    >>> cross([0.5, 0.5], [0.25, 0.75]) > entropy([0.5, 0.5])
    True
    >>> round(cross([0.5, 0.5], [0.25, 0.75]), 4)
    1.2075
    """
    return -sum(a * log2(b) for a, b in zip(p, q))


# A Huffman code for (0.5, 0.25, 0.125, 0.125) has lengths 1, 2, 3, 3:
# 0.5*1 + 0.25*2 + 0.125*3 + 0.125*3 = 1.75 bits, so it meets the entropy.
# A million symbols then take 1750000 bits = 218750 bytes.
