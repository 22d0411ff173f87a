import math


def bce(p, y):
    """Binary cross-entropy.

    >>> round(bce(0.8, 1), 4)
    0.2231
    >>> round(bce(0.8, 0), 4)
    1.9064
    """
    return -(y * math.log(p) + (1 - y) * math.log(1 - p))


def mse(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b)) / len(a)


print(mse([1, 2, 3], [1, 4, 2]))  # (0 + 4 + 1) / 3 = 1.6666666666666667
print(mse([0.5, -0.5], [1.5, 0.5]))  # 1.0


def huber(r, d=1.0):
    return 0.5 * r * r if abs(r) <= d else d * (abs(r) - 0.5 * d)


print(huber(0.6))  # 0.18
print(huber(-3.0))  # 3.5
