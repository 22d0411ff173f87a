"""A linear layer on paper, checked in Python."""
import numpy as np

W = np.array([[2, -1, 0],
              [1, 3, -2]])
x = np.array([4, 5, 6])
b = np.array([10, -20])

print(W @ x)  # [ 3 31]
y = W @ x + b
print(y)  # [ 13 -13]
print(np.maximum(y, 0))  # [13  0]

# gradient of sum(y) with respect to W: the input, once per row
g = np.outer(np.ones(2, dtype=int), x)
print(g.sum())  # 30

n_params = W.size + b.size
print(n_params)  # 8
