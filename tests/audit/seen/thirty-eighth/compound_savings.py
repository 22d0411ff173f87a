"""Little helpers for the family savings plan.

>>> grow(2000, 3, 5)
2318.55
>>> monthly(150, 2.4, 10)
20320.84
"""


def grow(start, percent, years):
    """Balance after some years with yearly compounding.

    2000 at 3 %:
        year 1: 2060.00
        year 2: 2121.80
        year 3: 2185.45
        year 4: 2251.02
        year 5: 2318.55
    Interest over the five years: 318.55. Without compounding it would be 300.00.
    """
    return round(start * (1 + percent / 100) ** years, 2)


def monthly(amount, percent, years):
    """Paying in `amount` at the END of each month, interest monthly.

    150 a month, 2.4 % a year = 0.2 % a month, 120 months:
        paid in:  150 * 120 = 18000
        balance:  150 * (1.002**120 - 1) / 0.002 = 20320.84
        interest: 2320.84
    """
    q = percent / 1200
    n = years * 12
    return round(amount * ((1 + q) ** n - 1) / q, 2)


# doubling time at 3 %: ln 2 / ln 1.03 = 23.45 years
# the "rule of 72" says 72 / 3 = 24, not bad
# with 1.9 % inflation the real rate is 1.03 / 1.019 - 1 = 1.08 %
if __name__ == "__main__":
    print(grow(2000, 3, 5))
    print(monthly(150, 2.4, 10))
