import numpy as np

# lecture 8, cell-by-cell
Q = np.array([[1.0, 0.0], [0.0, 2.0]])
K = np.array([[1.0, 1.0], [0.0, 1.0], [2.0, 0.0]])
V = np.array([[1.0, 2.0], [3.0, 0.0], [0.0, 1.0]])

S = Q @ K.T
print(S.tolist())
# [[1.0, 0.0, 2.0], [2.0, 2.0, 0.0]]
print(S.shape)
# (3, 2)

A = np.exp(S) / np.exp(S).sum(axis=1, keepdims=True)
print(A.round(3).tolist())
# [[0.245, 0.09, 0.665], [0.468, 0.468, 0.063]]

out = A @ V
print(out.round(3).tolist())
# [[0.515, 1.155], [1.873, 1.0]]
print(round(float(out.sum()), 3))
# 4.543
