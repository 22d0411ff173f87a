# Position encodings as the hands of a clock
# ------------------------------------------
# (from the appendix to chapter 9)
#
# A fast hand and a slow hand are enough to tell the time. The sinusoidal
# encoding does the same: with d = 4 there are two hands, one that turns by
# 1 radian per position and one that turns by 1/100, since
# 10000 ** (2/4) = 100.

from math import sin, cos, hypot, dist


def encode(pos, d=4):
    out = []
    for i in range(0, d, 2):
        angle = pos / 10000 ** (i / d)
        out += [sin(angle), cos(angle)]
    return out


for pos in range(4):
    print(pos, [round(v, 4) for v in encode(pos)])
# 0 [0.0, 1.0, 0.0, 1.0]
# 1 [0.8415, 0.5403, 0.01, 1.0]
# 2 [0.9093, -0.4161, 0.02, 0.9998]
# 3 [0.1411, -0.99, 0.03, 0.9996]

# Every encoding has the same length, because sin^2 + cos^2 = 1 for each hand:
print(round(hypot(*encode(3)), 4))                  # sqrt(2) = 1.4142

# The dot product of two encodings depends only on how far apart they are:
# cos(k) + cos(k / 100) for a distance of k positions.
def dot(a, b):
    return sum(x * y for x, y in zip(encode(a), encode(b)))

print(round(dot(0, 1), 4), round(dot(2, 3), 4))     # 1.5403 1.5403
print(round(dot(0, 2), 4), round(dot(1, 3), 4))     # 0.5837 0.5837

# Distance between neighbours: sqrt(2 + 2 - 2 * 1.5403) = sqrt(0.9194)
print(round(dist(encode(0), encode(1)), 4))         # 0.9589
