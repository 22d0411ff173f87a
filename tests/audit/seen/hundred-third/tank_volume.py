"""Volumes for the science fair water display.

>>> round(cylinder(0.3, 1.2), 4)
0.3393
>>> round(cone(0.3, 0.4), 4)
0.0377
>>> box(0.8, 0.5, 0.45)
0.18000000000000002
"""
from math import pi


def cylinder(r, h):
    return pi * r ** 2 * h


def cone(r, h):
    return cylinder(r, h) / 3


def box(a, b, c):
    return a * b * c


# Big tank: cylinder (r = 0.3 m, h = 1.2 m) with a cone (h = 0.4 m) underneath.
#   cylinder  339.3 l
#   cone      37.7 l
#   together  377.0 l
# Glass box: 80 cm x 50 cm x 45 cm = 180000 cm^3 = 180 l
#
# The pump moves 12 l per minute, so it fills the box in 180 / 12 = 15 minutes
# and empties the big tank in 377 / 12 = 31.4 minutes.
# Water weighs 1 kg per litre: the full box presses with 180 * 9.81 = 1765.8 N
# on 0.8 * 0.5 = 0.40 m^2, i.e. 4414.5 Pa. Same as rho g h = 1000 * 9.81 * 0.45.
