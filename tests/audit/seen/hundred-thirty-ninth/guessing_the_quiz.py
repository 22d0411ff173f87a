# Guessing your way through a quiz
# --------------------------------
# Ten questions, four answers each, and you have not revised.  The number of
# lucky hits is binomial with n = 10 and p = 1/4.

from math import comb, sqrt

n, p = 10, 0.25


def prob(k):
    return comb(n, k) * p**k * (1 - p) ** (n - k)


# How many ways are there to be right three times?
print(comb(10, 3))          # 120   (10 * 9 * 8 / 6)

# The chances of 0, 1, 2 and 3 hits:
for k in range(4):
    print(k, round(prob(k), 4))
# 0 0.0563
# 1 0.1877
# 2 0.2816
# 3 0.2503

# At least four hits: everything that is left over.
print(round(1 - sum(prob(k) for k in range(4)), 4))     # 0.2241

# On average you score n * p = 10 * 0.25 = 2.5, and the standard deviation
# is sqrt(n * p * (1 - p)) = sqrt(1.875).
print(round(sqrt(n * p * (1 - p)), 3))     # 1.369

# With 2 points for a hit and -1 for a miss, guessing is worth, per question,
# 0.25 * 2 - 0.75 * 1 = -0.25 points.  Over ten questions you lose 2.5.
print(n * (p * 2 - (1 - p) * 1))     # -2.5
