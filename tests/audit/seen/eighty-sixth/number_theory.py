"""Number theory warm-up, problem set 3 (due 2023-10-20).

Each result was pasted from the interpreter, Python 3.10.
"""
from math import comb, factorial, gcd

a, b = 252, 198
print(gcd(a, b))                # 18
print(a * b // gcd(a, b))       # 2772  (least common multiple)

# Euclid by hand: 252 = 1*198 + 54, 198 = 3*54 + 36, 54 = 1*36 + 18, 36 = 2*18

print(pow(7, 4))                # 2401
print(pow(7, 4, 10))            # 1, so 7**4 ends in 1

squares = [k * k for k in range(1, 13)]
print(squares[-1])              # 144
print(sum(squares))             # 560

# Check with the formula n(n+1)(2n+1)/6 for a small n:
# n = 4 gives 4*5*9/6 = 30 = 1 + 4 + 9 + 16

print(comb(10, 4))              # 210
print(factorial(6))             # 720
print(comb(10, 4) / 2 ** 10)    # 0.205078125

primes = [n for n in range(2, 50) if all(n % d for d in range(2, n))]
print(len(primes))              # 15
print(primes[-3:])              # [41, 43, 47]
print(sum(primes[:5]))          # 28

# Next week: chapter 4 (congruences), pages 61-78
