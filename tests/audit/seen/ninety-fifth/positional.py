"""Sinusoidal positions, as in section 3.5 of the 2017 paper, for d_model = 8."""
import math

d_model = 8


def pe(pos):
    out = []
    for i in range(0, d_model, 2):
        angle = pos / 10000 ** (i / d_model)
        out += [math.sin(angle), math.cos(angle)]
    return out


# the four wavelength divisors
print([round(10000 ** (i / d_model), 3) for i in range(0, d_model, 2)])
# [1.0, 10.0, 100.0, 1000.0]

print([round(x, 4) for x in pe(0)])  # [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]
print([round(x, 4) for x in pe(1)[:4]])  # [0.8415, 0.5403, 0.0998, 0.995]
print([round(x, 4) for x in pe(2)[:4]])  # [0.9093, -0.4116, 0.1987, 0.9801]

# the dot product only depends on the distance of two positions
dot = sum(a * b for a, b in zip(pe(3), pe(5)))
print(round(dot, 4))  # 2.5637
print(round(sum(a * b for a, b in zip(pe(10), pe(12))), 4))  # 2.5637

print(sum(x * x for x in pe(0)))  # 4.0
print(len(pe(7)), d_model // 2)  # 8 4
