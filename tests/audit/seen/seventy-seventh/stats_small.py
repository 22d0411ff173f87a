"""Small statistics helpers, written for the first-year lab.

>>> mean([4, 8, 15, 16, 23, 42])
18.0
>>> variance([2, 4, 4, 4, 5, 5, 7, 9])
4.0
>>> median([7, 1, 5, 3])
4.0
>>> weighted([90, 75, 60], [2, 3, 5])
70.5
>>> covariance([1, 2, 3, 4], [2, 4, 5, 9])
3.6666666666666665
"""


def mean(xs):
    return sum(xs) / len(xs)       # 4 + 8 + 15 + 16 + 23 + 42 = 108, and 108 / 6 = 18


def variance(xs):
    m = mean(xs)                   # 40 / 8 = 5
    # squares: 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 = 32
    return sum((x - m) ** 2 for x in xs) / len(xs)


def median(xs):
    s, n = sorted(xs), len(xs)
    return s[n // 2] if n % 2 else (s[n // 2 - 1] + s[n // 2]) / 2


def weighted(xs, ws):
    # 2 * 90 + 3 * 75 + 5 * 60 = 180 + 225 + 300 = 705, weights 2 + 3 + 5 = 10
    return sum(x * w for x, w in zip(xs, ws)) / sum(ws)


def covariance(xs, ys):
    mx, my = mean(xs), mean(ys)    # 2.5 and 5.0 in the example
    # (-1.5)(-3) + (-0.5)(-1) + 0.5 * 0 + 1.5 * 4 = 4.5 + 0.5 + 0 + 6 = 11
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / len(xs)
