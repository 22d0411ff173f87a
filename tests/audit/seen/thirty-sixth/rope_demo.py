# rope_demo.py
# Rotary position embedding on a single pair of dimensions (Su et al., 2021).
#
# We rotate q = (1, 2) at position m and k = (3, -1) at position n by 0.5 radian
# per position. The claim: the score depends on m - n only.

import math

THETA = 0.5


def rot(v, pos):
    """Rotate the pair v by pos * THETA.

    Worked case, q at position 1: cos 0.5 = 0.8776, sin 0.5 = 0.4794.
        x = 0.8776 * 1 - 0.4794 * 2 = -0.0812   (-0.0813 unrounded)
        y = 0.4794 * 1 + 0.8776 * 2 =  2.2346
    The length stays sqrt(1 + 4) = 2.236, as it should under a rotation.
    """
    c, s = math.cos(pos * THETA), math.sin(pos * THETA)
    return (c * v[0] - s * v[1], s * v[0] + c * v[1])


def score(m, n):
    a, b = rot((1, 2), m), rot((3, -1), n)
    return a[0] * b[0] + a[1] * b[1]


# Same position: no relative rotation, plain dot product 1*3 + 2*(-1) = 1.
assert abs(score(7, 7) - 1) < 1e-9

# One apart. rot(q, 2) = (-1.143, 1.922), rot(k, 1) = (3.112, 0.561):
#   -1.143 * 3.112 + 1.922 * 0.561 = -3.557 + 1.078 = -2.479
# (-2.478 if nothing is rounded on the way). Any other pair one apart agrees:
assert abs(score(2, 1) - score(103, 102)) < 1e-9

# Llama uses base 10000, later versions 500000; our 0.5 is only for show.
