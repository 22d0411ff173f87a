"""
Interest lesson, form 10
========================

2500 euros at 3.2 % a year, interest added at the end of each year:

    after 1 year    2500 * 1.032   = 2580.00
    after 2 years   2500 * 1.032^2 = 2662.56
    after 3 years   2500 * 1.032^3 = 2747.76
    after 4 years   2500 * 1.032^4 = 2835.69
    after 5 years   2500 * 1.032^5 = 2926.43

With simple interest it would be 2500 + 5 * 80 = 2900.00 after five years, so the
interest on interest is worth 26.43.
"""
from math import log


def balance(start, percent, years):
    return start * (1 + percent / 100) ** years


def doubling_time(percent):
    return log(2) / log(1 + percent / 100)


if __name__ == "__main__":
    print(f"{balance(2500, 3.2, 5):.2f}")         # 2926.43
    print(f"{balance(2500, 3.2, 8):.2f}")         # 3216.46
    print(f"{doubling_time(3.2):.1f} years")      # 21.7 years
    print(f"{doubling_time(6.4):.1f} years")      # 11.2 years, a little more than half
    # what must be paid in today to have 4000 in 6 years at 3.2 %?
    print(f"{4000 / 1.032 ** 6:.2f}")             # 3311.17
