"""Scaled dot-product attention for one query, in plain Python.

Written for the reading group of 23 January 2025 (Python 3.10 or newer).
"""
from math import exp, sqrt

query = [0.5, -1.0, 2.0, 1.0]
keys = [[1.0, 0.0, 1.0, 0.5], [0.0, 2.0, 0.5, 2.0], [2.0, -1.0, 0.0, 2.0]]
values = [[10, 0], [0, 10], [5, 5]]

scores = [sum(a * b for a, b in zip(query, k)) for k in keys]
print(scores)
# [3.0, 1.0, 4.0]

scaled = [s / sqrt(len(query)) for s in scores]
print(scaled)
# [1.5, 0.5, 2.0]

exps = [exp(s) for s in scaled]
print([round(e, 3) for e in exps], round(sum(exps), 3))
# [4.482, 1.649, 7.389] 13.519

weights = [e / sum(exps) for e in exps]
print([round(w, 3) for w in weights])
# [0.331, 0.122, 0.547]

mixed = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(2)]
print([round(m, 3) for m in mixed])
# [6.408, 3.952]
