"""One query, three keys, everything printed (results behind the line)."""
import numpy as np

q = np.array([0.5, -1.0, 2.0])
K = np.array([[1.0, 0.0, 1.0],
              [2.0, 3.0, 0.5],
              [0.0, -1.0, 1.5]])
V = np.array([[1.0, 2.0],
              [-3.0, 0.0],
              [0.0, 4.0]])

scores = K @ q
print(scores[0])                      # 2.5
print(scores[1])                      # 1.0
print(scores[2])                      # 4.0

scaled = scores / np.sqrt(3)
print(np.round(scaled, 3))            # [ 1.443 -0.577  2.309]

w = np.exp(scaled) / np.exp(scaled).sum()
print(np.round(w, 3))                 # [0.285 0.038 0.677]
print(np.round(w @ V, 3))             # [0.172 3.279]
