"""Adam by hand: two steps for a single weight.

I wrote this for our study group because nobody believed that the
first step of Adam is always (almost) exactly the learning rate.
"""
from math import sqrt

lr, b1, b2, eps = 0.001, 0.9, 0.999, 1e-8
w = 1.0
m = v = 0.0

# --- step 1, gradient 0.5 -------------------------------------------------
g = 0.5
m = b1 * m + (1 - b1) * g          # 0.1 * 0.5    = 0.05
v = b2 * v + (1 - b2) * g * g      # 0.001 * 0.25 = 0.00025
m_hat = m / (1 - b1 ** 1)          # 0.05 / 0.1      = 0.5
v_hat = v / (1 - b2 ** 1)          # 0.00025 / 0.001 = 0.25
w = w - lr * m_hat / (sqrt(v_hat) + eps)
print(round(w, 6))                 # 0.999
# 0.5 / sqrt(0.25) = 1, so the step has the length lr, whatever the gradient was

# --- step 2, gradient -0.2 ------------------------------------------------
g = -0.2
m = b1 * m + (1 - b1) * g          # 0.045 - 0.02 = 0.025
v = b2 * v + (1 - b2) * g * g      # 0.00024975 + 0.00004 = 0.00028975
m_hat = m / (1 - b1 ** 2)
v_hat = v / (1 - b2 ** 2)
print(round(m_hat, 4))             # 0.25
print(round(v_hat, 4))             # 0.1449
w = w - lr * m_hat / (sqrt(v_hat) + eps)
print(round(w, 6))                 # 0.998654

# Although the second gradient is negative, w still goes down: the momentum
# of the first step (0.045) is larger than what the new gradient brings (0.02).
