"""Rotary position embedding, in two dimensions, without a library.

Worked example
--------------
Rotate the vector (x, y) by the angle m * theta, m being the position:

    x' = x cos(m theta) - y sin(m theta)
    y' = x sin(m theta) + y cos(m theta)

Let theta = 0.5 and q = (3, 1) at position m = 2, so the angle is 1.0 rad.
With cos 1 = 0.5403 and sin 1 = 0.8415:

    x' = 3 * 0.5403 - 1 * 0.8415 = 1.6209 - 0.8415 = 0.9774
    y' = 3 * 0.8415 + 1 * 0.5403 = 2.5245 + 0.5403 = 3.0648

The length does not change: 3^2 + 1^2 = 10 before, and 0.6075 + 9.3930 = 10.0005
after (the rest is rounding).

See Su et al., RoFormer (2021), eq. 13.  Python >= 3.8.
"""
import math


def rotate(v, m, theta=0.5):
    a = m * theta
    x, y = v
    return (x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a))


def frequencies(d, base=10000.0):
    # d = 8 gives 1, 0.1, 0.01, 0.001
    return [base ** (-2 * i / d) for i in range(d // 2)]


if __name__ == "__main__":
    print(rotate((3, 1), 2))
    print(frequencies(8))
