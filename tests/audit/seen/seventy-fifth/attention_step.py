"""Causal self-attention for the second of three tokens, without any library.

The comments hold what I get on paper, so that one can compare.
"""
import math

q = [0.5, -1.0, 2.0]
keys = [[1.0, 0.0, 0.5], [2.0, -1.0, 1.0], [0.0, 3.0, 1.0]]
values = [[4.0, -2.0], [1.0, 6.0], [9.0, 9.0]]
position = 1                      # zero-based, so keys 0 and 1 are visible


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


scale = 1 / math.sqrt(len(q))     # 0.5774

raw = [dot(q, k) for k in keys]
# key 0: 0.5 + 0.0 + 1.0 = 1.5
# key 1: 1.0 + 1.0 + 2.0 = 4.0
# key 2: 0.0 - 3.0 + 2.0 = -1.0

scores = [s * scale for s in raw]                 # [0.866, 2.309, -0.577]
visible = scores[: position + 1]                  # [0.866, 2.309]

top = max(visible)
exps = [math.exp(s - top) for s in visible]       # [0.236, 1.0]
total = sum(exps)                                 # 1.236
weights = [e / total for e in exps]               # [0.191, 0.809]

out = [dot(weights, column) for column in zip(*values[: position + 1])]
# first:  0.191 * 4 + 0.809 * 1 = 1.573
# second: 0.191 * (-2) + 0.809 * 6 = 5.236

if __name__ == "__main__":
    print([round(o, 3) for o in out])
