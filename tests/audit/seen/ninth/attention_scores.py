"""Additive and multiplicative scores on paper numbers."""
import math

h = [0.5, -1.0, 2.0]
s = [2.0, 1.0, 0.5]

score = sum(a * b for a, b in zip(h, s))
print(score)  # 1.0 - 1.0 + 1.0 = 1.0

norm_h = math.sqrt(sum(a * a for a in h))
print(round(norm_h, 3))  # sqrt(5.25), about 2.291
norm_s = math.sqrt(sum(a * a for a in s))
print(round(norm_s, 3))  # 2.291

print(round(score / (norm_h * norm_s), 2))  # cosine: 0.19
print(round(math.tanh(score), 3))  # 0.672
print(round(score / math.sqrt(len(h)), 3))  # 0.577
