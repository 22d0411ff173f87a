# Sinusoidal positions for a tiny model, d = 4 (Vaswani et al., 2017, section 3.5)
import math


def encode(pos, d=4):
    row = []
    for i in range(0, d, 2):
        angle = pos / 10000 ** (i / d)
        row += [math.sin(angle), math.cos(angle)]
    return [round(v, 4) for v in row]


print(encode(0))  # [0.0, 1.0, 0.0, 1.0]
print(encode(1))  # [0.8415, 0.5403, 0.01, 1.0]
print(encode(2))  # [0.9093, -0.4161, 0.02, 0.9998]
# the second pair uses 10000 ** (2 / 4) = 100, so its angle at position 2 is 2 / 100 = 0.02

dot01 = sum(a * b for a, b in zip(encode(0), encode(1)))
dot02 = sum(a * b for a, b in zip(encode(0), encode(2)))
print(round(dot01, 3), round(dot02, 3))  # 1.54 0.584

# every row has squared length d / 2 = 2, because sin^2 + cos^2 = 1
print(round(sum(v * v for v in encode(2)), 3))  # 2.0

# a learned table for 512 positions and width 768 would need
print(512 * 768)  # 393216
# parameters, i.e. 512 * 768 * 4 bytes / 1024 = 1536 KiB in float32; sinusoids need 0
