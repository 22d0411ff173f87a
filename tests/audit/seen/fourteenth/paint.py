"""How much paint for the children's room?

Room 4.20 m x 3.60 m, 2.50 m high. One door (0.90 m x 2.10 m) and two windows
(1.20 m x 1.20 m). A litre covers 11 square metres; two coats.
"""
import math

L, W, H = 4.20, 3.60, 2.50
door = 0.90 * 2.10              # 1.89 m2
windows = 2 * 1.20 * 1.20       # 2.88 m2

walls = 2 * (L + W) * H         # 37.80 m2 with the openings
net = walls - door - windows    # 34.23 m2
ceiling = L * W                 # 15.12 m2

coats = 2
cover = 11.0

litres = coats * net / cover
print(f"walls:   {litres:.2f} litres")            # walls:   6.22 litres
print(f"ceiling: {coats * ceiling / cover:.2f} litres")   # ceiling: 2.75 litres

# The shop sells buckets of 2.5 l for 21.95 and of 5 l for 36.90.
small, large = 21.95, 36.90
# Walls: one large and one small bucket (7.5 l) cost
print(f"{large + small:.2f}")       # 58.85
# three small ones (7.5 l as well) would cost
print(f"{3 * small:.2f}")           # 65.85
# and two large ones, with plenty left over,
print(f"{2 * large:.2f}")           # 73.80

# Ceiling: 2 small buckets or 1 large one; take the large one.
# Per litre: small 8.78, large 7.38.
