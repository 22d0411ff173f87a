"""Discrete maths, exercise class 4 (17 Oct 2023): counting and probability."""
from math import comb, factorial, gcd, perm

# 1. Committees of 3 out of 10 people
print(comb(10, 3))                  # 120

# 2. Words from the letters of LEVEL: 5! / (2! * 2!) = 30
print(factorial(5) // (2 * 2))      # 30

# 3. Podiums in a race with 8 runners
print(perm(8, 3))                   # 56

# 4. Exactly 4 heads in 6 throws: 15 / 64
print(comb(6, 4) / 2 ** 6)          # 0.234375

# 5. Birthday problem with 23 people
p = 1.0
for k in range(23):
    p *= (365 - k) / 365
print(round(1 - p, 4))              # 0.5073

# 6. Numbers up to 60 that are coprime to 60
coprime = [n for n in range(1, 61) if gcd(n, 60) == 1]
print(len(coprime), sum(coprime))   # 16 480

# 7. A row of Pascal's triangle, and its sum 2**7 = 128
print([comb(7, k) for k in range(8)])   # [1, 7, 21, 35, 35, 21, 7, 1]
