"""Dice probabilities, exact.

Two dice, P(sum = s):

    s    ways   probability
    2    1      0.0278
    3    2      0.0556
    4    3      0.0833
    5    4      0.1111
    6    5      0.1389
    7    6      0.1667

(the rest by symmetry). P(sum >= 10) = 6/36 = 0.1667.

P(at least one six in four throws) = 1 - (5/6)**4 = 0.5177
P(at least one double six in 24 throws) = 1 - (35/36)**24 = 0.4914
"""
from itertools import product


def p_sum(s, n=2):
    rolls = list(product(range(1, 7), repeat=n))
    return sum(sum(r) == s for r in rolls) / len(rolls)


# p_sum(10, 3) = 27/216 = 0.125
# expected value of one die: (1+2+3+4+5+6)/6 = 3.5, variance 35/12 = 2.9167
