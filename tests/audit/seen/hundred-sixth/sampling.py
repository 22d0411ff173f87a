"""How samplers trim a next-token distribution (lecture 9, live-coded).

    P = .42 .25 .15 .10 .05 .03        entropy 2.136 bits

Results stand next to the code so that you can follow without a laptop.
"""
from math import log2

P = [.42, .25, .15, .10, .05, .03]


def renorm(p):
    s = sum(p)
    return [round(x / s, 3) for x in p]


def entropy(p):
    return -sum(x * log2(x) for x in p)


def top_k(p, k):
    """Keep the k largest.

    >>> top_k(P, 3)          # .82 of the mass survives
    [0.512, 0.305, 0.183]
    """
    return renorm(sorted(p, reverse=True)[:k])


def top_p(p, mass):
    """Keep the smallest prefix whose sum reaches `mass`.

    Running sums are .42 .67 .82 .92 .97 1.00, so for .9 we need four tokens.

    >>> top_p(P, .9)
    [0.457, 0.272, 0.163, 0.109]
    """
    kept, s = [], 0.0
    for x in sorted(p, reverse=True):
        kept.append(x)
        s += x
        if s >= mass:
            break
    return renorm(kept)


def temperature(p, t):
    """p ** (1/t), renormalised. t = 0.5 squares, t = 2 takes roots.

    >>> temperature(P, .5)   # squares sum to .2748
    [0.642, 0.227, 0.082, 0.036, 0.009, 0.003]
    """
    return renorm([x ** (1 / t) for x in p])


# min-p with 0.1: threshold is .1 * .42 = .042, drops one token, keeps .97 of the mass
# effective number of choices: 2 ** entropy(P) = 4.40
# chance that 10 draws never hit the top token: .58 ** 10 = .0043
