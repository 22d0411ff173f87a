"""Logistic regression: one gradient step with numpy, results as comments.

My notes for exercise 2b, checked against the paper solution.
"""
import numpy as np

X = np.array([[1.0, 2.0], [2.0, -1.0], [0.0, 1.0]])   # 3 samples, 2 features
y = np.array([1.0, 0.0, 1.0])
w = np.array([0.5, -0.25])
b = 0.1

# 1) forward
z = X @ w + b
print(np.round(z, 4))            # [ 0.1   1.35 -0.15]

p = 1 / (1 + np.exp(-z))
print(np.round(p, 4))            # [0.525  0.7941 0.4626]

# 2) loss: mean binary cross-entropy
loss = -(y * np.log(p) + (1 - y) * np.log(1 - p))
print(np.round(loss, 4))         # [0.6444 1.5805 0.771 ]
print(round(loss.mean(), 4))     # 0.9986

# 3) gradient, note that sigmoid and cross-entropy simplify to p - y
err = p - y
print(np.round(err, 4))          # [-0.475   0.7941 -0.5374]

grad_w = X.T @ err / len(y)
print(grad_w.shape)              # (3,)
print(np.round(grad_w, 4))       # [ 0.3711 -0.7605]
print(round(err.mean(), 4))      # -0.0728

# 4) step with learning rate 1
w = w - 1.0 * grad_w
b = b - 1.0 * err.mean()
print(np.round(w, 4))            # [0.1289 0.5105]
print(round(b, 4))               # 0.1728
