#!/usr/bin/env python3
"""
Estimate for the back room (3.6 m x 4.8 m, ceiling at 2.5 m).

Walls
    perimeter        2 * (3.6 + 4.8)      = 16.8 m
    gross area       16.8 * 2.5           = 42.0 m2
    door             0.9 * 2.1            = 1.89 m2
    window           1.4 * 1.2            = 1.68 m2
    to paint         42.0 - 1.89 - 1.68   = 38.43 m2
    two coats                               76.86 m2
    paint            76.86 / 9.5 m2 per L = 8.09 L   -> 4 tins of 2.5 L

Floor
    area             3.6 * 4.8            = 17.28 m2
    plus 8% waste    17.28 * 1.08         = 18.66 m2
    tiles 40x40 cm   18.66 / 0.16         = 116.6    -> 117 tiles, 20 boxes of 6
    skirting         16.8 - 0.9           = 15.9 m   -> 7 lengths of 2.4 m
"""
from math import ceil

PRICES = {"tin": 34.90, "box": 27.50, "length": 8.75}


def tins(area, coats=2, spread=9.5, size=2.5):
    """
    >>> tins(38.43)
    4
    """
    return ceil(area * coats / spread / size)


def cost(n_tins, n_boxes, n_lengths):
    """
    >>> round(cost(4, 20, 7), 2)
    750.85
    """
    # 4 * 34.90 = 139.60
    # 20 * 27.50 = 550.00
    # 7 * 8.75 = 61.25
    return n_tins * PRICES["tin"] + n_boxes * PRICES["box"] + n_lengths * PRICES["length"]


# Tiles are 550.00 / 750.85 = 73.3% of the bill.
# Diagonal of the room, to check it is square: sqrt(3.6**2 + 4.8**2) = sqrt(36.0) = 6.0 m
