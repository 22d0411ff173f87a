"""Activation functions, in plain Python.

>>> round(sigmoid(1.0), 3)
0.731
>>> round(gelu(1.0), 4)
0.8413
>>> round(silu(-2.0), 4)
-0.2834
"""
import math


def sigmoid(x):
    return 1.0 / (1.0 + math.exp(-x))


def silu(x):
    return x * sigmoid(x)


def gelu(x):
    return 0.5 * x * (1.0 + math.erf(x / math.sqrt(2.0)))


def relu(x):
    return max(0.0, x)


if __name__ == "__main__":
    print(round(sigmoid(-1.0), 3))      # -> 0.269
    print(round(silu(2.0), 4))          # -> 1.7616
    print(round(math.tanh(0.5), 4))     # -> 0.4621
    print(round(gelu(-1.0), 4))         # -> -0.1587
    print(relu(-3.0), relu(2.5))        # -> 0.0 2.5
    print(sigmoid(0.0) * (1 - sigmoid(0.0)))   # -> 0.5
