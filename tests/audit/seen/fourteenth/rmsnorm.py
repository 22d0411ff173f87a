"""RMSNorm and LayerNorm side by side.

The vector of the examples is (3, -4, 0, 5). Its squares are 9, 16, 0 and 25,
they add up to 50, and their mean is 12.5.
"""
import math

x = [3.0, -4.0, 0.0, 5.0]


def rms(v):
    return math.sqrt(sum(t * t for t in v) / len(v))


def rmsnorm(v):
    r = rms(v)
    return [t / r for t in v]


def layernorm(v):
    m = sum(v) / len(v)
    s = math.sqrt(sum((t - m) ** 2 for t in v) / len(v))
    return [(t - m) / s for t in v]


print(round(rms(x), 4))                        # 3.5355
print([round(t, 4) for t in rmsnorm(x)])       # [0.8845, -1.1314, 0.0, 1.4142]
print(sum(x) / len(x))                         # 1.0
print([round(t, 4) for t in layernorm(x)])     # [0.5898, -1.4744, -0.2949, 1.1795]

# RMSNorm does not subtract the mean (which is 1.0 here), so zero stays zero.
# After RMSNorm the squares add up to 4, the number of entries:
print(round(sum(t * t for t in rmsnorm(x)), 6))   # 4.0

# Scaling the input by ten changes nothing:
print([round(t, 4) for t in rmsnorm([10 * t for t in x])][1])   # -1.1314

# Parameters for d = 4096: RMSNorm has 4096 gains, LayerNorm 4096 gains and
# 4096 biases, 8192 in all.
