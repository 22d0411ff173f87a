"""Worked example: scaled dot products for one query."""
import numpy as np

q = np.array([0.5, -1.0, 2.0, 1.5])
K = np.array([[1.0, 0.0, 1.0, 2.0],
              [2.0, 1.0, -1.0, 0.0],
              [0.0, -2.0, 0.5, 1.0]])

s = K @ q                      # [ 5.5 -2.   4.5]
s = s / np.sqrt(len(q))        # [ 2.75 -1.    2.25]
e = np.exp(s - s.max())
w = e / e.sum()
print(w.round(3))              # [0.613 0.014 0.372]
print(float(s.max()))          # 2.75
print(float(q @ q))            # 5.5
