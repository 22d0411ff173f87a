# Study guide: a 2-3-1 network by hand (well, by Python)
import numpy as np

x = np.array([1.0, -2.0])
W1 = np.array([[0.5, -1.0], [2.0, 1.0], [-1.0, 0.5]])
b1 = np.array([0.0, 0.5, 1.0])
w2 = np.array([1.0, -3.0, 2.0])
b2 = 0.25

z = W1 @ x + b1
print(z)                       # [ 2.5  0.5 -1. ]
h = np.maximum(z, 0)
print(h)                       # [2.5 0.5 0. ]
y = w2 @ h + b2
print(y)                       # 1.25
loss = (y - 2.0) ** 2
print(loss)                    # 0.5625

n_params = W1.size + b1.size + w2.size + 1
print(n_params)                # 13
