def balance(start, rate, years):
    """Compound interest, once a year.

    >>> round(balance(1000, 0.03, 1), 2)
    1030.0
    >>> round(balance(1000, 0.03, 2), 2)
    1060.9
    >>> round(balance(1000, 0.03, 5), 2)
    1159.27
    >>> round(balance(2500, 0.045, 10), 2)
    3882.42
    """
    return start * (1 + rate) ** years


def months_to_double(rate):
    """Years until the money doubles, ln 2 / ln(1 + rate), in months.

    >>> round(months_to_double(0.03))
    281
    >>> round(months_to_double(0.06))
    143
    """
    import math
    return 12 * math.log(2) / math.log(1 + rate)


# 1000 at 3% for 5 years earns 159.27 of interest; without compounding it
# would be 5 * 30 = 150, so compounding is worth 9.27.

if __name__ == "__main__":
    import doctest
    doctest.testmod()
