"""Causal mask on a 3x3 score matrix (section 3 of the exercise class)."""
import numpy as np

scores = np.array([[2.0, 1.0, 3.0],
                   [0.5, 1.5, 0.0],
                   [1.0, 0.0, 2.0]])
mask = np.tril(np.ones((3, 3)))
masked = np.where(mask == 1, scores, -np.inf)

e = np.exp(masked)
w = e / e.sum(axis=1, keepdims=True)
print(w.round(4))
# [[1.     0.     0.    ]
#  [0.2689 0.7311 0.    ]
#  [0.2447 0.09   0.6562]]

print(mask.sum())       # 6.0, that is 3 * 4 / 2
print(w.sum(axis=1))    # [1. 1. 1.]
