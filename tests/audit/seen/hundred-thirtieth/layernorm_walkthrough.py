"""Lesson 11: LayerNorm and RMSNorm on four numbers.

Run this file next to the video. The comments show what you should see.
"""
import numpy as np

x = np.array([2.0, 4.0, 4.0, 6.0])

# --- LayerNorm ------------------------------------------------------------
# Subtract the mean, divide by the standard deviation (the one with 1/n, not 1/(n-1)).
mu = x.mean()                    # (2 + 4 + 4 + 6) / 4 = 4.0
var = ((x - mu) ** 2).mean()     # (4 + 0 + 0 + 4) / 4 = 2.0
sigma = np.sqrt(var)             # 1.4142

y = (x - mu) / sigma
print(y.round(4))                # [-1.4142  0.      0.      1.4142]

# Check: the mean of y is 0, and the mean of its squares is (2 + 0 + 0 + 2) / 4 = 1.

# Gain and bias are learned, one pair per coordinate. Say that after some training they are
gain = np.array([1.0, 0.5, 2.0, 1.5])
bias = np.array([0.0, 0.1, -0.3, 0.2])
print((gain * y + bias).round(4))   # [-1.4142  0.1    -0.3     2.3213]

# --- RMSNorm --------------------------------------------------------------
# Llama and friends leave out the mean. Only the root mean square is used.
ms = (x ** 2).mean()             # (4 + 16 + 16 + 36) / 4 = 18.0
rms = np.sqrt(ms)                # 3.6056
print((x / rms).round(4))        # [0.4714 0.9428 0.9428 1.4142]

# --- Exercise -------------------------------------------------------------
# What happens when we add 10 to every entry?
x10 = x + 10                     # 12, 14, 14, 16
y10 = (x10 - x10.mean()) / x10.std()
print(np.allclose(y, y10))       # True: LayerNorm does not see the shift

ms10 = (x10 ** 2).mean()         # (144 + 196 + 196 + 256) / 4 = 198.0
print(np.sqrt(ms10).round(4))    # 14.0712
# RMSNorm does see it: the first entry goes from 0.4714 to 12 / 14.0712 = 0.8528.
