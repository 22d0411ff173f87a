import numpy as np

A = np.array([[1, 2], [3, 4]])
B = np.array([[0, 1], [1, 0]])

print(A @ B)
# [[2 1]
#  [4 3]]

print(A.sum(axis=0))  # [4 6]
print(A.mean())       # 2.5
print(np.trace(A))    # 5

x = np.array([1.0, -1.0])
print(A @ x)          # [-1. -1.]
print(np.linalg.norm(np.array([6, 8])))  # 10.0
print(np.arange(12).reshape(3, 4).T.shape)  # (4, 3)
print(np.arange(12).sum())  # 78
