"""Three steps of SGD with momentum on f(w) = (w - 3)**2.

Update rule (as in PyTorch 1.x and 2.x, dampening 0):
    v <- mu * v + grad
    w <- w - lr * v
"""

lr, mu = 0.1, 0.9


def grad(w):
    return 2 * (w - 3)


w0, v0 = 0.0, 0.0

v1 = mu * v0 + grad(w0)
w1 = w0 - lr * v1
print(round(v1, 3), round(w1, 3))  # -6.0 0.6

v2 = mu * v1 + grad(w1)
w2 = w1 - lr * v2
print(round(v2, 3), round(w2, 3))  # -10.2 1.62

# Third step: 0.9 * (-10.2) is -9.18 and the gradient at 1.62 is -2.76.
v3 = mu * v2 + grad(w2)
w3 = w2 - lr * v3
print(round(v3, 3))  # -6.42
print(round(w3, 3))  # 2.814

# Loss falls from 9 at the start to about 0.035; the next step overshoots 3.
print(round((w3 - 3) ** 2, 4))  # 0.0346
