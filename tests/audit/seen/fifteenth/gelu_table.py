"""GELU, exact and approximate.

Exact:        x * Phi(x), with the normal distribution function Phi.
Approximate:  0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))

>>> round(gelu(1.0), 4)
0.8413
>>> round(gelu_tanh(1.0), 4)
0.8412
>>> round(gelu(-2.0), 4)
-0.0554
>>> round(gelu(3.0), 4)
2.996
>>> gelu(0.0)
0.0
"""
import math


def phi(x):
    return 0.5 * (1 + math.erf(x / math.sqrt(2)))


def gelu(x):
    return x * phi(x)


def gelu_tanh(x):
    c = math.sqrt(2 / math.pi)
    return 0.5 * x * (1 + math.tanh(c * (x + 0.044715 * x ** 3)))


# For positive and negative arguments gelu(x) - gelu(-x) = x, since
# Phi(x) + Phi(-x) = 1. Check: gelu(2) is 1.9545.
#
#      x     exact      tanh      difference
#    0.5    0.34573   0.34571    -0.00002
#    1.5    1.39979   1.39957    -0.00022
#
# sqrt(2/pi) is 0.79788. The sigmoid version, x * sigmoid(1.702 x), gives
# 0.8458 at x = 1.
