"""Single-query attention, small enough to follow with a pencil."""
import numpy as np

q = np.array([1.0, 0.5])
K = np.array([[0.2, 1.0],
              [1.4, -0.6],
              [-1.0, 0.8]])
V = np.array([[1.0, 0.0],
              [0.0, 2.0],
              [3.0, 1.0]])

scores = K @ q                    # [0.7, 1.1, -0.6]
scaled = scores / np.sqrt(2)      # [0.495, 0.778, -0.424]
w = np.exp(scaled)
w /= w.sum()                      # [0.367, 0.487, 0.146]
out = w @ V                       # [0.806, 1.210]

print(out.round(3))
