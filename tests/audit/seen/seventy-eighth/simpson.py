"""
Integral of x**3 - 2*x + 4 from 0 to 2, three ways
==================================================

exact:      x**4/4 - x**2 + 4*x at 2  ->  16/4 - 4 + 8 = 8

f(0.0) = 4.000
f(0.5) = 0.125 - 1 + 4 = 3.125
f(1.0) = 1 - 2 + 4     = 3.000
f(1.5) = 3.375 - 3 + 4 = 4.375
f(2.0) = 8 - 4 + 4     = 8.000

trapezoid, h = 0.5:
    0.5 * (4/2 + 3.125 + 3 + 4.375 + 8/2) = 0.5 * 16.5 = 8.25
midpoint, h = 1, at 0.5 and 1.5:
    1 * (3.125 + 4.375) = 7.5
simpson, h = 0.5:
    0.5/3 * (4 + 4*3.125 + 2*3 + 4*4.375 + 8)
    = 0.5/3 * (4 + 12.5 + 6 + 17.5 + 8) = 0.5/3 * 48 = 8

errors: trapezoid 8.25 - 8 = 0.25, midpoint 7.5 - 8 = -0.5, simpson 0
(a cubic is exact for simpson, as promised)
"""


def f(x):
    return x ** 3 - 2 * x + 4


def trapezoid(n, a=0.0, b=2.0):
    h = (b - a) / n
    return h * (f(a) / 2 + sum(f(a + i * h) for i in range(1, n)) + f(b) / 2)


print(trapezoid(4))   # 8.25
print(trapezoid(8))   # 8.0625, error 0.25 / 4 = 0.0625
print(trapezoid(16))  # 8.015625, error 0.0625 / 4 = 0.015625
