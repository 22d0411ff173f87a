"""Precision, recall and friends. Version 0.7, May 2022."""


def prf(tp, fp, fn):
    """Return precision, recall, F1.

    Example: 30 hits, 10 false alarms, 20 misses gives 0.75, 0.6 and
    about 0.667 (2 * 0.75 * 0.6 / 1.35).
    """
    p = tp / (tp + fp)
    r = tp / (tp + fn)
    return p, r, 2 * p * r / (p + r)


p, r, f = prf(30, 10, 20)
print(p, r, round(f, 3))  # 0.75 0.6 0.667
p, r, f = prf(8, 2, 0)  # here p is 0.8 and r is 1.0
print(round(f, 3))  # 0.889

ranks = [1, 3, 2, 10]
mrr = sum(1 / t for t in ranks) / len(ranks)
print(round(mrr, 3))  # 0.483
# 1 + 0.333 + 0.5 + 0.1 = 1.933, and a quarter of that is 0.483
