"""Savings plan: 5,000 at 3.2 % per year for ten years.

Summary of what the functions below give (all rounded to cents):

    yearly compounding      5000 * 1.032**10          = 6850.00
    monthly compounding     5000 * (1 + 0.032/12)**120 = 6882.71
    simple interest         5000 * (1 + 10 * 0.032)    = 6600.00

Compounding every month instead of every year brings 31.50 more, simple
interest would bring 251.21 less than compounding every year.
"""
from math import log

P, RATE, YEARS = 5000.0, 0.032, 10


def compound(principal, rate, years, per_year=1):
    return principal * (1 + rate / per_year) ** (years * per_year)


def effective(rate, per_year):
    """Effective yearly rate; effective(0.032, 12) is 0.03247, so 3.247 %."""
    return (1 + rate / per_year) ** per_year - 1


def doubling_time(rate):
    """log(2) / log(1.032) = 22.0 years; the rule of 72 says 72 / 3.2 = 22.5."""
    return log(2) / log(1 + rate)


first = P * RATE             # 160.0 of interest in the first year
second = (P + first) * RATE  # 165.12 in the second one
gain = compound(P, RATE, YEARS) - P
share = gain / P             # 0.3702, i.e. 37.0 % in ten years
inflation = 1.02 ** YEARS    # 1.2190 at 2 % inflation
real = compound(P, RATE, YEARS) / inflation  # about 5620 in today's money
real_rate = 1.032 / 1.02 - 1                 # about 1.18 % per year

if __name__ == "__main__":
    print(f"{compound(P, RATE, YEARS):.2f} {real:.2f} {doubling_time(RATE):.1f}")
