"""
Rain barrel calculator (school garden project).

The barrel is a cylinder: diameter 1.2 m, height 1.5 m.
The shed roof is 6 m by 3.5 m.
"""
from math import pi

radius = 1.2 / 2                      # 0.6 m
base = pi * radius ** 2               # 1.1310 m2
volume = base * 1.5                   # 1.696 m3
litres = volume * 1000                # 1696 litres

roof = 6 * 3.5                        # 21.0 m2
# 1 mm of rain on 1 m2 is 1 litre. We lose a fifth to splashing,
# so a 10 mm shower brings:
shower = roof * 10 * 0.8              # 168 litres

# How many such showers fill the barrel?
showers = litres / shower             # 10.1, so eleven to be safe

# How much does the water level rise in one shower?
rise = 0.168 / base                   # 0.149 m, about 15 cm

# A can holds 12 litres; the tomatoes drink 3 cans a day.
per_day = 3 * 12                      # 36 litres
days = litres / per_day               # 47.1 days with a full barrel

# Tap water costs 2.10 euros per 1000 litres:
saved = litres / 1000 * 2.10          # 3.56 euros per filling

# Outside to paint (side plus lid):
side = 2 * pi * radius * 1.5          # 5.655 m2
paint = side + base                   # 6.786 m2
