"""ALiBi: linear distance penalties instead of position embeddings.

Slopes for n heads form a geometric sequence 2^(-8/n), 2^(-16/n), ...
For eight heads they are

    1/2, 1/4, 1/8, 1/16, 1/32, 1/64, 1/128, 1/256
    = 0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625
"""
import math


def slopes(n):
    return [2 ** (-8 * (i + 1) / n) for i in range(n)]


def biased(scores, slope):
    """Last query against all keys up to itself.

    scores (1.2, 0.4, 0.9, 0.7), slope 0.25, distances (3, 2, 1, 0):

        1.2 - 0.75 = 0.45
        0.4 - 0.50 = -0.10
        0.9 - 0.25 = 0.65
        0.7 - 0.00 = 0.70
    """
    last = len(scores) - 1
    return [s - slope * (last - j) for j, s in enumerate(scores)]


def softmax(z):
    """
    Without the bias (1.2, 0.4, 0.9, 0.7) -> (0.358, 0.161, 0.265, 0.217)
    With it         -> (0.245, 0.141, 0.299, 0.331)

    exponentials in the second case: 1.5683, 0.9048, 1.9155, 2.0138
    """
    e = [math.exp(t) for t in z]
    return [t / sum(e) for t in e]


# A key 100 tokens back gets -50 in head 1 and -0.391 in head 8,
# i.e. a factor of exp(-0.391) = 0.68 before normalisation.
