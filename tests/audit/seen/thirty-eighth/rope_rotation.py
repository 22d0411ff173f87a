"""Rotary position embedding for a single pair of features.

The pair (x, y) at position m is turned by the angle m * theta. We use
theta = 0.1 here, so position 3 means 0.3 rad and position 5 means 0.5 rad.

    cos(0.3) = 0.9553    sin(0.3) = 0.2955
    cos(0.5) = 0.8776    sin(0.5) = 0.4794
"""
import math

THETA = 0.1


def rotate(pair, m):
    """Turn ``pair`` by ``m * THETA``.

    For q = (1, 2) at position 3:

        x' = 1 * 0.9553 - 2 * 0.2955 = 0.364
        y' = 1 * 0.2955 + 2 * 0.9553 = 2.206

    For k = (0.5, -1) at position 5:

        x' = 0.5 * 0.8776 + 1 * 0.4794 = 0.918
        y' = 0.5 * 0.4794 - 1 * 0.8776 = -0.683
    """
    c, s = math.cos(m * THETA), math.sin(m * THETA)
    x, y = pair
    return (x * c - y * s, x * s + y * c)


def score(q, m, k, n):
    a, b = rotate(q, m), rotate(k, n)
    return a[0] * b[0] + a[1] * b[1]


# The score depends on the distance n - m only:
#   score((1, 2), 3, (0.5, -1), 5) -> -1.073
#   score((1, 2), 6, (0.5, -1), 8) -> -1.073
# and with no rotation at all the dot product would be 0.5 - 2 = -1.5.
#
# The length never changes: |q| = sqrt(5) = 2.236 before and after.
