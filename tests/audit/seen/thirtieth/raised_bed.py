#!/usr/bin/env python3
"""Raised-bed calculator. Written for the allotment club, April 2023.

Example from the noticeboard
----------------------------
The bed is 2.4 m long and 1.2 m wide:   2.4 * 1.2 = 2.88 m2
Filled 25 cm deep:                      2.88 * 0.25 = 0.72 m3 = 720 litres
Soil comes in bags of 40 litres:        720 / 40 = 18 bags
At 4.95 a bag:                          18 * 4.95 = 89.10
Members get 20 % off:                   89.10 * 0.8 = 71.28

Soil settles by maybe 10 % in the first winter, so keep some money back.
"""
import math


def bags(length, width, depth, litres=40):
    volume = length * width * depth * 1000
    # round() first, floating point could otherwise push us to one bag too many
    return math.ceil(round(volume, 6) / litres)


def plants(length_cm, width_cm, spacing_cm):
    # lettuce at 30 cm: 240/30 = 8 along, 120/30 = 4 across, 8 * 4 = 32 plants
    # kohlrabi at 40 cm: 6 along, 3 across, 18 plants
    return (length_cm // spacing_cm) * (width_cm // spacing_cm)


if __name__ == "__main__":
    print(bags(2.4, 1.2, 0.25), plants(240, 120, 30))
