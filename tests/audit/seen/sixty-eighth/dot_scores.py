"""Scores of one query against a small memory (notes for week 5)."""
import numpy as np

q = np.array([0.5, -1.0, 2.0])
memory = np.array([
    [1.0, 0.0, 1.5],
    [-2.0, 1.0, 0.5],
    [4.0, 3.0, -1.0],
])

scores = memory @ q
print(scores)                        # [ 3.5 -1.  -3. ]

scaled = scores / np.sqrt(3)
print(np.round(scaled, 3))           # [ 2.021 -0.333 -1.732]

w = np.exp(scaled)
w = w / w.sum()
print(np.round(w, 3))                # [0.911 0.068 0.021]

print(round(float(w @ memory[:, 2]), 3))   # 1.379
print(q @ q)                         # 5.25
