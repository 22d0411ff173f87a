import numpy as np

# Two-layer network by hand, for the Monday section
x = np.array([1.0, -2.0])
W1 = np.array([[0.5, -1.0],
               [2.0, 0.5],
               [-1.0, 1.0]])
b1 = np.array([0.1, 0.0, 0.5])

h = W1 @ x + b1
# h = [2.6, 1.0, -2.5]

a = np.maximum(h, 0)
# a = [2.6, 1.0, 0.0]

w2 = np.array([0.3, -0.7, 1.2])
y = a @ w2
# y = 0.3*2.6 - 0.7*1.0 = 0.78 - 0.70 = 0.80

loss = (y - 1) ** 2
print(round(loss, 4))  # 0.8464
