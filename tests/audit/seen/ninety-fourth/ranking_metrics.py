"""Ranking metrics for the search assignment (week 9).

Run with Python 3.10 or newer; results are noted next to each call.
"""
import math

# relevance of the first five hits for query Q17
rel = [3, 2, 0, 1, 2]


def dcg(r):
    """Sum of r_i / log2(i + 1), with i counted from 1."""
    return sum(x / math.log2(i + 2) for i, x in enumerate(r))


d = dcg(rel)
ideal = dcg(sorted(rel, reverse=True))
print(round(d, 4))          # 5.4662
print(round(ideal, 4))      # 5.6925
print(round(d / ideal, 4))  # 0.9602

# precision at k: hits with rel > 0
hits = [int(x > 0) for x in rel]
print(hits)                 # [1, 1, 0, 1, 1]
prec = [sum(hits[:k]) / k for k in range(1, 6)]
print([round(p, 3) for p in prec])   # [1.0, 1.0, 0.667, 0.75, 0.8]

# average precision: mean of the precision at each relevant hit
ap = sum(p * h for p, h in zip(prec, hits)) / sum(hits)
print(ap)                   # 0.8785

# mean reciprocal rank, first relevant hit at ranks 1, 2 and 4
print(round((1 + 1 / 2 + 1 / 4) / 3, 4))   # 0.5833
