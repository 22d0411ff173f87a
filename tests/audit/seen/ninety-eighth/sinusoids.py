"""Sinusoidal positions for a very small model (d_model = 6).

    PE[pos, 2i]   = sin(pos / 10000 ** (2i / 6))
    PE[pos, 2i+1] = cos(pos / 10000 ** (2i / 6))

The three wavelength divisors are 1, 21.544 and 464.159.

    pos   sin(pos)  cos(pos)  sin(pos/21.544)  cos(pos/21.544)
    0      0.0000    1.0000      0.0000            1.0000
    1      0.8415    0.5403      0.0464            0.9989
    2      0.9093   -0.4161      0.0927            0.9957
    3      0.1411   -0.9900      0.1488            0.9903
    10    -0.5440   -0.8391      0.4477            0.8942

The last pair hardly moves: at pos = 10 it is (0.0215, 0.9998).
"""
import math


def pe(pos, d=6):
    out = []
    for i in range(d // 2):
        angle = pos / 10000 ** (2 * i / d)
        out += [math.sin(angle), math.cos(angle)]
    return out


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


# Every sin/cos pair has length 1, so the squared norm is always d / 2:
print(dot(pe(7), pe(7)))            # 3.0 (up to float fuzz)

# ... and the dot product depends on the offset only:
#     cos(1) + cos(1/21.544) + cos(1/464.159) = 0.5403 + 0.9989 + 1.0000
print(round(dot(pe(1), pe(2)), 4))  # 2.5392
print(round(dot(pe(9), pe(10)), 4)) # 2.5392
