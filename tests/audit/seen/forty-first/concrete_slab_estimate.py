#!/usr/bin/env python3
"""Concrete for the garage slab.

Slab 6.4 m x 3.5 m, 15 cm thick:

    area    6.4 * 3.5        = 22.40 m2
    volume  22.40 * 0.15     = 3.36 m3
    + 8 % waste              = 3.629 m3
"""

LENGTH_M = 6.4
WIDTH_M = 3.5
THICK_M = 0.15
WASTE = 0.08
PRICE_PER_M3 = 128.0      # delivered
MESH_SHEET_M2 = 5.0 * 2.15  # 10.75 m2


def slab_volume(length=LENGTH_M, width=WIDTH_M, thick=THICK_M):
    return length * width * thick


def order_volume():
    """Suppliers sell in quarters of a cubic metre, so 3.629 -> 3.75."""
    import math
    return math.ceil(slab_volume() * (1 + WASTE) * 4) / 4


# Concrete: 3.75 m3 * 128.00 = 480.00
# Mesh:     22.40 / 10.75 = 2.08 sheets -> 3 sheets at 41.90 = 125.70
# Gravel:   22.40 * 0.20 = 4.48 m3 at 36.00 = 161.28
# Sum:      766.98
# VAT 19 %: 145.73
# Total:    912.71
#
# Weight of the slab at 2.4 t/m3: 3.36 * 2.4 = 8.064 t.
# Diagonal for checking the right angle: sqrt(6.4**2 + 3.5**2) = 7.295 m.

if __name__ == "__main__":
    print(f"order {order_volume():.2f} m3")   # -> order 3.75 m3
