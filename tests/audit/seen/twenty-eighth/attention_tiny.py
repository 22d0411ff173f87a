"""Attention for one query, with all the numbers in the comments.

Companion to lecture 11 (spring 2025). Needs numpy >= 1.24.
"""
import numpy as np

q = np.array([1, -1, 2])
K = np.array([[2, 0, 1], [1, 1, 1], [0, -2, -1]])
V = np.array([[10, 0], [0, 10], [5, 5]])


def softmax(x):
    e = np.exp(x - x.max())  # subtracting the max changes nothing but avoids overflow
    return e / e.sum()


# Scores, one per key:
#   k1: 1*2 + (-1)*0 + 2*1       = 4
#   k2: 1*1 + (-1)*1 + 2*1       = 2
#   k3: 1*0 + (-1)*(-2) + 2*(-1) = -4
scores = K @ q

# Divide by sqrt(3) = 1.732:
#   4 / 1.732 = 2.309
#   2 / 1.732 = 1.155
#   and the third one is 0
scaled = scores / np.sqrt(3)

# exp: 10.068, 3.173, 1.000; their sum is 14.241.
# Weights: 10.068 / 14.241 = 0.707, 3.173 / 14.241 = 0.223, 1 / 14.241 = 0.070
weights = softmax(scaled)

# Output:
#   0.707 * 10 + 0.223 * 0 + 0.070 * 5  = 7.42
#   0.707 * 0 + 0.223 * 10 + 0.070 * 5  = 2.58
output = weights @ V

if __name__ == "__main__":
    print(weights.round(3), output.round(2))
