"""Adam on one parameter, two steps, everything spelled out.

Used in the tutorial of week 5. Run it if you don't believe the comments.
Note that we use beta2 = 0.99 here (not 0.999) to keep the numbers readable.
"""
from math import sqrt

lr, b1, b2 = 0.1, 0.9, 0.99
w, m, v = 1.0, 0.0, 0.0

# ---- step 1, gradient 0.4
g = 0.4
m = b1 * m + (1 - b1) * g         # 0.0400
v = b2 * v + (1 - b2) * g * g     # 0.0016
m_hat = m / (1 - b1 ** 1)         # 0.4000   bias correction gives back g
v_hat = v / (1 - b2 ** 1)         # 0.1600   ... and g squared
w = w - lr * m_hat / sqrt(v_hat)  # 0.9000   so the first step is exactly lr

# ---- step 2, the gradient changes its sign: -0.2
g = -0.2
m = b1 * m + (1 - b1) * g         # 0.0160   momentum still points the old way
v = b2 * v + (1 - b2) * g * g     # 0.001984
m_hat = m / (1 - b1 ** 2)         # 0.1600
v_hat = v / (1 - b2 ** 2)         # 0.0997
w = w - lr * m_hat / sqrt(v_hat)  # 0.8733

# Plain SGD with the same learning rate, for comparison:
#   1 - 0.1 * 0.4    = 0.96
#   0.96 + 0.1 * 0.2 = 0.98
# It has turned round after the second gradient; Adam has not.
print(w)
