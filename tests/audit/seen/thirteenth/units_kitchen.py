"""Kitchen conversions, American to metric.

A cup is 236.588 ml, a tablespoon a sixteenth of that.

>>> cups_to_ml(2)
473.2
>>> cups_to_ml(0.75)
177.4
>>> oz_to_g(8)
226.8
>>> f_to_c(350)
177
>>> f_to_c(425)
281
"""

CUP = 236.588
TBSP = CUP / 16         # about 14.8 ml
TSP = TBSP / 3          # about 4.9 ml
OZ = 28.3495
POUND = 16 * OZ         # 453.592 g


def cups_to_ml(n):
    return round(n * CUP, 1)


def oz_to_g(n):
    return round(n * OZ, 1)


def f_to_c(f):
    return round((f - 32) * 5 / 9)


def scale(amounts, factor):
    """
    >>> scale([250, 120, 3], 1.5)
    [375.0, 180.0, 4.5]
    """
    return [a * factor for a in amounts]


if __name__ == "__main__":
    print(oz_to_g(12))              # -> 340.2
    print(f_to_c(212))              # -> 100
    print(round(3 * TBSP, 1))       # -> 44.4
    print(sum(scale([100, 50, 10], 2)))     # -> 320
