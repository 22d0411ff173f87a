"""Forward pass of a 2-3-1 network, by hand and by Python (lecture 5, autumn 2023)."""
import math

x = [0.5, -1.0]                      # one input, two features
W1 = [[0.2, 0.4], [-0.6, 0.1], [0.8, -0.5]]
b1 = [0.1, 0.0, -0.2]
W2 = [0.7, -0.3, 0.5]
b2 = 0.05

z1 = [sum(w * xi for w, xi in zip(row, x)) + b for row, b in zip(W1, b1)]
print([round(v, 2) for v in z1])     # [-0.2, -0.4, 0.7]

# ReLU kills the first two units:
h = [max(0.0, v) for v in z1]
print([round(v, 2) for v in h])      # [0.0, 0.0, 0.7]

# output pre-activation: 0.7 * 0.0 - 0.3 * 0.0 + 0.5 * 0.7 + 0.05 = 0.40
z2 = sum(w * v for w, v in zip(W2, h)) + b2
y = 1 / (1 + math.exp(-z2))
print(round(y, 4))                   # 0.5897

# binary cross-entropy for target 1
loss = -math.log(y)
print(round(loss, 4))                # 0.513

# number of parameters: 3 * 2 + 3 + 3 + 1 = 13
n_params = sum(len(r) for r in W1) + len(b1) + len(W2) + 1
print(n_params)                      # 13
