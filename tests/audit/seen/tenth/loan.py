"""Monthly rate of a loan, for my sister's car.

18,000 at 4.2 % a year (0.35 % a month) over 10 years, i.e. 120 months:
the rate is 183.96, altogether 120 * 183.96 = 22,075.20, so the interest is 4,075.20.
"""


def monthly(principal, yearly, months):
    r = yearly / 12
    return principal * r / (1 - (1 + r) ** -months)


rate = monthly(18_000, 0.042, 120)
print(f"{rate:.2f}")              # 183.96

# first month: interest 18,000 * 0.0035 = 63.00, so 120.96 is paid back
print(f"{18_000 * 0.0035:.2f}")   # 63.00

# simple interest, only as a (wrong!) comparison:
# 18,000 * 0.042 * 10 = 7,560 -- too much, because the debt shrinks
print(18_000 * 42 // 1000 * 10)   # 7560

assert 12_000 / 60 == 200.0      # what she pays now
assert abs(rate - 183.96) < 0.005
