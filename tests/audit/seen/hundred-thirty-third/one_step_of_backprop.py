"""One step of backprop, from the post "Three neurons are enough".

A net with two inputs, three ReLU units and one output, squared loss
L = (y - t)^2 / 2. Run it, or read it: the results are in the comments.
"""
import numpy as np

np.set_printoptions(precision=4, suppress=True)

x, t = np.array([0.5, -1.0]), 1.0
W1 = np.array([[0.4, -0.2], [0.3, 0.8], [-0.5, -0.6]])
b1 = np.array([0.1, 0.0, 0.05])
w2 = np.array([0.6, -0.1, 0.9])
b2 = -0.2

# ---- forward
z = W1 @ x + b1
print(z)                      # [ 0.5  -0.65  0.4 ]
h = np.maximum(z, 0)
print(h)                      # [0.5 0.  0.4]   the middle unit is asleep
y = w2 @ h + b2
print(round(y, 4))            # 0.6*0.5 + 0.9*0.4 - 0.2 = 0.46
loss = (y - t) ** 2 / 2
print(round(loss, 4))         # (-0.54)^2 / 2 = 0.2916

# ---- backward
dy = y - t
dw2 = dy * h
print(dw2)                    # [-0.27  -0.    -0.216]
dz = dy * w2 * (z > 0)
print(dz)                     # [-0.324  0.    -0.486]   nothing flows through a sleeping unit
dW1 = np.outer(dz, x)
print(dW1[0])                 # [-0.162  0.324]
print(dW1[2])                 # [-0.243  0.486]

# ---- update, learning rate 0.1
lr = 0.1
w2, b2 = w2 - lr * dw2, b2 - lr * dy
W1, b1 = W1 - lr * dW1, b1 - lr * dz
print(w2, round(b2, 4))       # [ 0.627  -0.1     0.9216] -0.146
print(W1[2], round(b1[2], 4)) # [-0.4757 -0.6486] 0.0986

# ---- and once more forward
y = w2 @ np.maximum(W1 @ x + b1, 0) + b2
print(round(y, 4))            # 0.6826, the target is 1
print(round((y - t) ** 2 / 2, 4))   # 0.0504
