r"""Nucleus (top-p) and top-k filtering, written for people and not for GPUs.

Take five candidates with probabilities

    a 0.42    b 0.27    c 0.16    d 0.10    e 0.05

Running sums: 0.42, 0.69, 0.85, 0.95, 1.00.

With p = 0.8 we must keep a, b and c (0.69 is not enough, 0.85 is). Rescale by
0.85:

    a 0.42 / 0.85 = 0.494
    b 0.27 / 0.85 = 0.318
    c 0.16 / 0.85 = 0.188

With k = 2 we keep a and b and rescale by 0.69, so a becomes 0.609 and b 0.391.

>>> P = {"a": 0.42, "b": 0.27, "c": 0.16, "d": 0.10, "e": 0.05}
>>> show(top_p(P, 0.8))
a=0.494 b=0.318 c=0.188
>>> show(top_k(P, 2))
a=0.609 b=0.391
>>> show(top_p(P, 0.9))
a=0.442 b=0.284 c=0.168 d=0.105
>>> round(sum(top_p(P, 0.9).values()), 6)
1.0
"""


def top_p(probs, p):
    """Smallest set of the likeliest tokens whose mass reaches p, rescaled."""
    kept, mass = {}, 0.0
    for tok, q in sorted(probs.items(), key=lambda t: -t[1]):
        kept[tok] = q
        mass += q
        if mass >= p:
            break
    return {t: q / mass for t, q in kept.items()}


def top_k(probs, k):
    kept = dict(sorted(probs.items(), key=lambda t: -t[1])[:k])
    mass = sum(kept.values())
    return {t: q / mass for t, q in kept.items()}


def show(d):
    print(" ".join(f"{t}={q:.3f}" for t, q in d.items()))


# Chance of *never* seeing token e in 20 plain samples: 0.95**20 = 0.358
# Chance of seeing a three times in a row: 0.42**3 = 0.074 (plain), 0.494**3 = 0.121 (top-p)
