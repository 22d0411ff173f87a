"""Sinusoidal positions for d = 8.

The angle of pair i at position p is p / 10000**(2*i/8); for p = 3 the four
angles are 3, 0.3, 0.03 and 0.003.
"""
from math import sin, cos, isclose

D = 8


def encoding(pos):
    out = []
    for i in range(D // 2):
        angle = pos / 10000 ** (2 * i / D)
        out += [sin(angle), cos(angle)]
    return out


e = encoding(3)
print([round(v, 3) for v in e[:4]])   # [0.141, -0.99, 0.296, 0.955]
print(round(e[4], 4))                 # 0.03, since sin(x) ~ x for small x
assert isclose(sum(v * v for v in e), 4.0)    # four pairs, each with sin^2 + cos^2 = 1

# dot product of two positions: only the distance matters
dot = sum(a * b for a, b in zip(encoding(10), encoding(12)))
print(round(dot, 3))                  # cos 2 + cos 0.2 + cos 0.02 + cos 0.002 = 2.564
assert len(e) == 8
