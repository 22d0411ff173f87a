"""Sinusoidal positional encoding for d_model = 4, spelled out.

PE(pos, 2i)   = sin(pos / 10000^(2i/4))
PE(pos, 2i+1) = cos(pos / 10000^(2i/4))

For i = 0 we divide by 1, for i = 1 by 10000^0.5 = 100.
"""
import math


def pe(pos, d=4):
    row = []
    for i in range(d // 2):
        angle = pos / 10000 ** (2 * i / d)
        row += [math.sin(angle), math.cos(angle)]
    return row


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


for pos in range(4):
    print(pos, [f"{v:.4f}" for v in pe(pos)])
# pos    sin(pos)  cos(pos)  sin(pos/100)  cos(pos/100)
#  0      0.0000    1.0000      0.0000        1.0000
#  1      0.8415    0.5403      0.0100        1.0000
#  2      0.9093   -0.4161      0.0200        0.9998
#  3      0.1411   -0.9990      0.0300        0.9996

# Every row has squared length sin^2 + cos^2 + sin^2 + cos^2 = 2:
print(round(dot(pe(3), pe(3)), 4))   # 2.0

# The dot product of two rows depends on the offset only.  For neighbours
# it is cos(1) + cos(0.01):
print(round(dot(pe(0), pe(1)), 4))   # 1.5403
print(round(dot(pe(2), pe(3)), 4))   # 1.5403

# and it falls with distance (for small offsets at least):
print(round(dot(pe(0), pe(2)), 4))   # 0.5837
print(round(dot(pe(0), pe(3)), 4))   # 0.0096
