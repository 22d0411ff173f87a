#!/usr/bin/env python
"""Print the sinusoidal position table for a width of 4.

    PE(pos, 2i)   = sin(pos / 10000^(2i/4))
    PE(pos, 2i+1) = cos(pos / 10000^(2i/4))

For i = 0 the divisor is 1, for i = 1 it is 10000^0.5 = 100.
"""
from math import sin, cos

WIDTH = 4


def pe(pos):
    row = []
    for i in range(WIDTH // 2):
        a = pos / 10000 ** (2 * i / WIDTH)
        row += [sin(a), cos(a)]
    return row


for pos in range(5):
    print(pos, " ".join(f"{v:8.4f}" for v in pe(pos)))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


for d in range(4):
    print("shift", d, f"{dot(pe(1), pe(1 + d)):.4f}")

# Output:
#
#   0   0.0000   1.0000   0.0000   1.0000
#   1   0.8415   0.5403   0.0100   1.0000
#   2   0.9093  -0.4161   0.0200   0.9998
#   3   0.1411   0.9900   0.0300   0.9996
#   4  -0.7568  -0.6536   0.0400   0.9992
#   shift 0 2.0000
#   shift 1 1.5403
#   shift 2 0.5837
#   shift 3 0.0096
#
# The second block depends on the shift alone: cos(d) + cos(d/100). For d = 1
# that is 0.5403 + 0.99995, for d = 0 it is 1 + 1 = 2.
