"""Causal attention on three tokens; results are in the comments."""
import numpy as np

scores = np.array([[1.0, 5.0, 2.0],
                   [0.0, 1.0, 3.0],
                   [2.0, 2.0, 1.0]])

mask = np.triu(np.ones((3, 3)), k=1).astype(bool)
masked = np.where(mask, -np.inf, scores)

w = np.exp(masked)
w /= w.sum(axis=1, keepdims=True)
print(w.round(4))
# [[1.     0.     0.    ]
#  [0.2689 0.7311 0.    ]
#  [0.4223 0.4223 0.1554]]

print(w.shape)            # (3, 3)
print(w.sum(axis=1))      # [1. 1. 1.]
print(int(mask.sum()))    # 3

v = np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]])
out = w @ v
print(out.round(4)[2])    # [0.733 0.733]
