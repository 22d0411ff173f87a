# Exercise sheet 6, problem 1 - sample solution (Adam, three steps, one weight)
#
# Given: w = 1, learning rate 0.01, beta1 = 0.9, beta2 = 0.999,
# gradients 0.4, -0.2, 0.3 in this order. Epsilon is neglected.

from math import sqrt

lr, b1, b2 = 0.01, 0.9, 0.999
w, m, v = 1.0, 0.0, 0.0

# step 1, g = 0.4
m = b1 * m + (1 - b1) * 0.4        # m = 0.04
v = b2 * v + (1 - b2) * 0.4**2     # v = 0.00016
m_hat = m / (1 - b1)               # 0.04 / 0.1 = 0.4
v_hat = v / (1 - b2)               # 0.00016 / 0.001 = 0.16
w -= lr * m_hat / sqrt(v_hat)      # 1 - 0.01 * 0.4 / 0.4 = 0.99

# The first step always has the length of the learning rate. Why? (1 point)

# step 2, g = -0.2
m = b1 * m + (1 - b1) * -0.2       # 0.036 - 0.02 = 0.016
v = b2 * v + (1 - b2) * 0.2**2     # 0.00015984 + 0.00004 = 0.0019984
m_hat = m / (1 - b1**2)            # 0.016 / 0.19 = 0.08421
v_hat = v / (1 - b2**2)            # 0.09997
w -= lr * m_hat / sqrt(v_hat)      # 0.99 - 0.00266 = 0.98734

# The weight still goes down although the gradient has changed its sign:
# the first moment remembers step 1.

# step 3, g = 0.3
m = b1 * m + (1 - b1) * 0.3        # 0.0144 + 0.03 = 0.0444
v = b2 * v + (1 - b2) * 0.3**2     # 0.00028964
m_hat = m / (1 - b1**3)            # 0.0444 / 0.271 = 0.16384
v_hat = v / (1 - b2**3)            # 0.09664
w -= lr * m_hat / sqrt(v_hat)      # 0.98734 - 0.00527 = 0.98207

print(round(w, 5))                 # 0.98207
