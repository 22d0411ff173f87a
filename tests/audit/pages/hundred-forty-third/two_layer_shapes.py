"""Shapes in a two-layer network.

Hand-out for the Thursday group. Rule of the house: before you run a line,
write down the shape you expect; then look at the comment.
"""
import numpy as np

rng = np.random.default_rng(1)

# 20 pupils, 12 questionnaire answers each, 3 possible clubs to join
X = rng.normal(size=(20, 12))
Y = np.eye(3)[rng.integers(0, 3, size=20)]
print(Y.shape)               # (20, 3)

W1 = rng.normal(size=(12, 8))
b1 = np.zeros(8)
W2 = rng.normal(size=(8, 3))
b2 = np.zeros(3)

# How many numbers are to be learned?
print(W1.size + b1.size)     # 12*8 + 8 = 104
print(W2.size + b2.size)     # 8*3 + 3 = 27
                             # together 131

# Forward: the inner sizes must match, the outer ones remain
H = np.tanh(X @ W1 + b1)
print(H.shape)               # (20, 8)
Z = H @ W2 + b2
P = np.exp(Z) / np.exp(Z).sum(axis=1, keepdims=True)
print(P.sum().round(6))      # 20 rows that add up to 1 each: 20.0

# Backward: a gradient has the shape of the thing it belongs to
D = (P - Y) / 20
dW2 = H.T @ D
print(dW2.shape)             # (20, 3)
db2 = D.sum(axis=0)
print(db2.shape)             # (3,)
dH = D @ W2.T * (1 - H**2)
dW1 = X.T @ dH
print(dW1.shape)             # (12, 8)

W1 -= 0.1 * dW1
W2 -= 0.1 * dW2
