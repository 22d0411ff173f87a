"""Kitchen unit conversions.

>>> round(cups_to_ml(2.5), 1)
591.5
>>> round(oz_to_g(12), 1)
340.2
>>> round(f_to_c(350), 1)
176.7
>>> round(c_to_f(220))
428
"""

ML_PER_CUP = 236.588
G_PER_OZ = 28.3495


def cups_to_ml(cups):
    return cups * ML_PER_CUP


def oz_to_g(oz):
    # a pound is 16 oz, that is 453.592 g
    return oz * G_PER_OZ


def f_to_c(f):
    # 212 -> 100, 32 -> 0, 425 -> 218.3
    return (f - 32) * 5 / 9


def c_to_f(c):
    # 180 -> 356, 37 -> 98.6
    return c * 9 / 5 + 32
