#!/usr/bin/env python3
"""How much paint for the bedroom?  (maths through making, sheet 6)

Room 4.2 m by 3.1 m, walls 2.5 m high.
One door 0.9 m x 2.05 m, two windows 1.6 m x 1.2 m.
Two coats, one litre covers 11 square metres, tins hold 2.5 litres.
"""
from math import ceil

length, width, height = 4.2, 3.1, 2.5

perimeter = 2 * (length + width)        # 14.6 m
walls = perimeter * height              # 36.5 m2

door = 0.9 * 2.05                       # 1.845 m2
windows = 2 * 1.6 * 1.2                 # 3.84 m2, 1.92 each
to_paint = walls - door - windows       # 36.5 - 5.685 = 30.815 m2

litres = 2 * to_paint / 11              # 61.63 / 11 = 5.60 litres
tins = ceil(litres / 2.5)               # 2.24 tins, so buy 3
left_over = tins * 2.5 - litres         # 7.5 - 5.60 = 1.90 litres

floor = length * width                  # 13.02 m2
skirting = perimeter - 0.9              # 13.7 m, none across the door
air = floor * height                    # 32.55 m3

# Laminate: 8 % extra for offcuts, 23.50 per square metre
cost = floor * 1.08 * 23.50             # 330.45

print(f"{tins} tins, {cost:.2f} for the floor")   # 3 tins, 330.45 for the floor
