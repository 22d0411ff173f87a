"""Reference numbers for the Adam unit test (ticket OPT-88).

One scalar weight, two steps, worked out by hand so that the C++ port can be checked.
"""
import math

lr, b1, b2, eps = 0.01, 0.9, 0.99, 1e-8
w0 = 0.500
g1, g2 = 0.4, -0.2

# --- step 1 -----------------------------------------------------------------
m1 = (1 - b1) * g1                       # 0.1 * 0.4 = 0.04
v1 = (1 - b2) * g1 ** 2                  # 0.01 * 0.16 = 0.0016
mhat1 = m1 / (1 - b1)                    # 0.04 / 0.1 = 0.4
vhat1 = v1 / (1 - b2)                    # 0.0016 / 0.01 = 0.16
w1 = w0 - lr * mhat1 / (math.sqrt(vhat1) + eps)
# 0.5 - 0.01 * 0.4 / 0.4 = 0.490

# --- step 2 -----------------------------------------------------------------
m2 = b1 * m1 + (1 - b1) * g2             # 0.036 - 0.02 = 0.016
v2 = b2 * v1 + (1 - b2) * g2 ** 2        # 0.001584 + 0.0004 = 0.001984
c1 = 1 - b1 ** 2                         # 1 - 0.81 = 0.19
c2 = 1 - b2 ** 2                         # 1 - 0.9801 = 0.0099
mhat2 = m2 / c1                          # 0.016 / 0.19 = 0.08421
vhat2 = v2 / c2                          # 0.001984 / 0.0199 = 0.09970
step2 = lr * mhat2 / (math.sqrt(vhat2) + eps)
# sqrt = 0.31575, step = 0.01 * 0.08421 / 0.31575 = 0.00267
w2 = w1 - step2                          # 0.49 - 0.00267 = 0.48733

# plain SGD with the same gradients, for comparison
s1 = w0 - lr * g1                        # 0.496
s2 = s1 - lr * g2                        # 0.498

# state per parameter in fp32: weight, gradient, m, v
bytes_per_param = 4 * 4                  # 16
mib = 27_262_976 * bytes_per_param / 2 ** 20   # 416 MiB for the 27.3 M model
