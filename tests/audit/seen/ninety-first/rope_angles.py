"""Rotary position embedding (RoPE) with numbers you can follow.  v0.3, 2024-01-19"""
import math

d = 8            # head size, so d / 2 = 4 pairs
base = 10000

# frequency of pair i: base ** (-2 * i / d)
freqs = [base ** (-2 * i / d) for i in range(d // 2)]
print([round(f, 4) for f in freqs])  # [1.0, 0.1, 0.01, 0.001]

# angles (radians) of a token at position 3: 3 * 1.0, 3 * 0.1, 3 * 0.01, 3 * 0.001
angles = [3 * f for f in freqs]
print([round(a, 4) for a in angles])  # [3.0, 0.3, 0.03, 0.003]


def rotate(x, y, a):
    return x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a)


# cos(0.3) = 0.9553 and sin(0.3) = 0.2955, so (2, 1) turns into
x, y = rotate(2, 1, 0.3)
print(round(x, 4), round(y, 4))  # 1.6152 1.5464

# the length must not change: 2 * 2 + 1 * 1 = 5
print(round(x * x + y * y, 6))  # 5.0

# wavelengths 2 * pi / freq, for all four pairs
print([round(2 * math.pi / f, 1) for f in freqs])  # [6.3, 62.8, 628.3, 6283.2]
