#!/usr/bin/env python3
# Rain tank calculator, written for the allotment club, v1.2 (Oct 2020)
#
# Our tank is a cylinder, 1.2 m across and 1.5 m high.
#   radius   = 1.2 / 2 = 0.6 m
#   volume   = pi * 0.6**2 * 1.5 = 1.696 m^3, i.e. 1696 litres
#
# The roof of the shed is 3 m x 4.5 m = 13.5 m^2. One millimetre of rain on one
# square metre is one litre, and we lose around 10 %, so 10 mm of rain gives
#   13.5 * 10 * 0.9 = 121.5 litres
# To fill the empty tank we need 1696 / 12.15 = 139.6 mm of rain. In an average
# summer that takes two months; in 2018 it took until November!
#
# The tap, for comparison, delivers 12.5 litres a minute:
#   1696 / 12.5 = 135.7 minutes, or about 2 h 16 min

import math


def litres(diameter_m: float, height_m: float) -> float:
    r = diameter_m / 2
    return math.pi * r * r * height_m * 1000


def rain_needed_mm(tank_l: float, roof_m2: float, loss: float = 0.1) -> float:
    return tank_l / (roof_m2 * (1 - loss))


if __name__ == "__main__":
    t = litres(1.2, 1.5)
    print(f"tank: {t:.0f} l")                       # tank: 1696 l
    print(f"rain: {rain_needed_mm(t, 13.5):.1f} mm")  # rain: 139.6 mm
