# RMSNorm against LayerNorm on one vector.
# My notes for the study group, tested with Python 3.12.

import math

x = [3.0, -4.0, 0.0, 5.0]
n = len(x)

# --- RMSNorm: no mean is subtracted -------------------------------
mean_square = sum(v * v for v in x) / n
print(mean_square)                      # (9 + 16 + 0 + 25) / 4 = 12.5

rms = math.sqrt(mean_square)
print(round(rms, 4))                    # 3.5355

print([round(v / rms, 3) for v in x])   # [0.849, -1.131, 0.0, 1.414]

# --- LayerNorm: the mean goes first -------------------------------
mu = sum(x) / n
print(mu)                               # 4 / 4 = 1.0

dev = [v - mu for v in x]
print(dev)                              # [2.0, -5.0, -1.0, 4.0]

var = sum(d * d for d in dev) / n
print(var)                              # (4 + 25 + 1 + 16) / 4 = 15.333

std = math.sqrt(var)
print(round(std, 4))                    # 3.3912

print([round(d / std, 3) for d in dev])  # [0.59, -1.474, -0.295, 1.18]

# A handy identity: var = mean_square - mu**2
print(mean_square - mu ** 2)            # 12.5 - 1 = 11.5

# Rough cost: RMSNorm needs 1 reduction, LayerNorm needs 2.
