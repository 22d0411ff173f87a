from math import sqrt


def mean(xs):
    """Arithmetic mean.

    >>> mean([12, 15, 11, 18])
    14.0
    """
    return sum(xs) / len(xs)


def variance(xs):
    """Population variance (divide by n).

    >>> variance([12, 15, 11, 18])
    10.0
    """
    m = mean(xs)
    return sum((x - m) ** 2 for x in xs) / len(xs)


def zscore(x, xs):
    """
    >>> round(zscore(18, [12, 15, 11, 18]), 3)
    1.461
    """
    return (x - mean(xs)) / sqrt(variance(xs))
