#!/usr/bin/env python3
"""How much paint for the two bedrooms?  (weekend of 5 October)"""

# room A: 4.2 m x 3.5 m, room B: 3.0 m x 2.8 m, both 2.5 m high
HEIGHT = 2.5
COVER = 9.0          # m2 per litre, according to the tin (optimistic)
COATS = 2


def walls(a, b):
    """Wall area of a rectangular room, doors and windows included."""
    return 2 * (a + b) * HEIGHT


room_a = walls(4.2, 3.5)     # 2 * 7.7 * 2.5 = 38.5 m2
room_b = walls(3.0, 2.8)     # 2 * 5.8 * 2.5 = 29.0 m2

doors = 2 * 0.9 * 2.0        # two doors: 3.6 m2
windows = 3 * 1.2 * 1.4      # three windows: 50.4 m2

area = room_a + room_b - doors - windows
# 38.5 + 29.0 - 3.6 - 5.04 = 58.86 m2

litres = area * COATS / COVER
# 58.86 * 2 / 9 = 13.08 litres

# The shop has tins of 5 l (31.90) and 2.5 l (18.50).
three_big = 3 * 31.90                  # 95.70 for 15 l
mixed = 2 * 31.90 + 2 * 18.50          # 100.80 for 15 l as well

if __name__ == "__main__":
    print(f"area   {area:.2f} m2")
    print(f"paint  {litres:.2f} l")
    print(f"cheapest way to 15 l: {min(three_big, mixed):.2f}")
    # leaves 15 - 13.08 = 1.92 l for the next stain
