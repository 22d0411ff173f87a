"""LayerNorm and RMSNorm on one small vector, no dependencies.

x = (2, 4, 4, 6, 9): the sum is 25, the mean is 5, the deviations are
(-3, -1, -1, 1, 4) and their squares add up to 28.
"""
from math import sqrt

x = [2.0, 4.0, 4.0, 6.0, 9.0]
gamma, beta = 1.5, 0.2


def layernorm(v):
    mean = sum(v) / len(v)                             # 25 / 5 = 5.0
    var = sum((a - mean) ** 2 for a in v) / len(v)     # 28 / 5 = 5.6
    return [(a - mean) / sqrt(var) for a in v]         # sqrt(5.6) = 2.3664


def rmsnorm(v):
    ms = sum(a * a for a in v) / len(v)                # 153 / 5 = 30.6
    return [a / sqrt(ms) for a in v]                   # sqrt(30.6) = 5.5317


n = layernorm(x)
# n is about [-1.2677, -0.4226, -0.4226, 0.4226, 1.6903]
# (it sums to 0 and its mean square is 1)

y = [gamma * a + beta for a in n]
print(round(y[0], 4))      # -1.7016
print(round(y[3], 4))      # 0.8339
print(round(y[4], 4))      # 3.0355
print(round(sum(y), 4))    # 1.0, that is 5 * beta

r = rmsnorm(x)
# r is about [0.3616, 0.7231, 0.7231, 1.0847, 1.6270]
print(round(max(r) / min(r), 2))   # 4.5, the same as 9 / 2
