"""Sinusoidal positions for a toy width of 4, requires Python >= 3.8.

Frequencies are 10000 ** (-2i / d): 1 for the first pair, 0.01 for the second.

>>> [round(v, 4) for v in encode(0)]
[0.0, 1.0, 0.0, 1.0]
>>> [round(v, 4) for v in encode(1)]
[0.8415, 0.5403, 0.01, 1.0]
>>> [round(v, 3) for v in encode(2)]
[0.909, -0.416, 0.02, 1.0]
"""
import math

WIDTH = 4
BASE = 10_000.0
LONGEST = 628.3         # about 2 * pi * 100, the wavelength of the slow pair


def encode(pos, d=WIDTH, base=BASE):
    out = []
    for i in range(d // 2):
        w = base ** (-2 * i / d)
        out += [math.sin(pos * w), math.cos(pos * w)]
    return out


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


if __name__ == "__main__":
    print(round(dot(encode(3), encode(3)), 6))      # -> 2.0
    # depends on the distance only: cos(2) + cos(0.02), near 0.58
    print(round(dot(encode(3), encode(5)), 3))      # -> 0.584
    print(round(dot(encode(40), encode(42)), 3))    # -> 0.584
    print(len(encode(7, d=16)))                     # -> 16
