# Sinusoidal positions, tiny version (d = 4, base 100 instead of 10000 so that
# the slow pair is visible too). Part of my solution for the bonus exercise.
import math

BASE = 100
D = 4


def pe(pos):
    """[sin(pos), cos(pos), sin(pos/10), cos(pos/10)] for these settings"""
    out = []
    for i in range(0, D, 2):
        angle = pos / BASE ** (i / D)      # 100 ** 0.5 = 10
        out += [math.sin(angle), math.cos(angle)]
    return out


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


for p in range(4):
    print(p, ["%.4f" % x for x in pe(p)])
# 0 ['0.0000', '1.0000', '0.0000', '1.0000']
# 1 ['0.8415', '0.5403', '0.0998', '0.9950']
# 2 ['0.9093', '-0.4161', '0.1987', '0.9801']
# 3 ['0.1411', '-0.9900', '0.2955', '0.9553']

# Every pair (sin, cos) has length 1, two pairs, so each vector has squared length 2:
print(round(dot(pe(3), pe(3)), 4))         # 2.0

# The dot product only depends on the distance k, it is cos(k) + cos(k/10):
print(round(dot(pe(0), pe(1)), 4))         # 1.5353   (= 0.5403 + 0.9950)
print(round(dot(pe(1), pe(2)), 4))         # 1.5353
print(round(dot(pe(2), pe(3)), 4))         # 1.5353
print(round(dot(pe(1), pe(3)), 4))         # 0.5639
print(round(dot(pe(0), pe(3)), 4))         # -0.0347
