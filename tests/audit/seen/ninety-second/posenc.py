"""Sinusoidal position codes, with the values we expect (lecture 8, slide 14)."""
import math

D = 4          # model width
BASE = 10000   # as in the original paper


def angle(pos, i):
    return pos / BASE ** (2 * i / D)


def encode(pos):
    row = []
    for i in range(D // 2):
        row += [math.sin(angle(pos, i)), math.cos(angle(pos, i))]
    return row


print([round(x, 4) for x in encode(0)])   # [0.0, 1.0, 0.0, 1.0]
print([round(x, 4) for x in encode(1)])   # [0.8415, 0.5403, 0.01, 1.0]
print([round(x, 4) for x in encode(2)])   # [0.9093, 0.4161, 0.02, 0.9998]

# the dot product depends only on the distance of the positions
dot = sum(a * b for a, b in zip(encode(3), encode(5)))
print(round(dot, 4))                      # 0.5837

# wavelengths: 2*pi = 6.2832 for i = 0, and 100 times as long (628.32) for i = 1
print(round(2 * math.pi * 100, 2))        # 628.32
