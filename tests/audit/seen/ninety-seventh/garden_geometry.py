"""Year 8 project: a garden plan.

Lawn        rectangle 7.5 m x 4 m            30 m^2
Diagonal    sqrt(7.5^2 + 4^2)                = sqrt(72.25) = 8.5 m
Fence       2 * (7.5 + 4)                    23 m
Pond        circle, radius 1.2 m             4.52 m^2
Grass left  30 - 4.52                        25.48 m^2
Flower bed  trapezium, sides 6.2 and 4.8 m, height 3.5 m
            (6.2 + 4.8) / 2 * 3.5            19.25 m^2

Seed: 35 g per m^2, so 25.48 * 35 = 892 g, that is 0.892 kg.
Seed is sold in 0.5 kg bags at 6.40 each: 2 bags, 12.80.
Fence panels are 1.8 m wide: 23 / 1.8 = 12.8, so 13 panels at 21.50 = 279.50.
"""
from math import atan, degrees, pi, sqrt

lawn = 7.5 * 4                 # 30.0
pond = pi * 1.2 ** 2           # 4.5239
edge = 2 * pi * 1.2            # 7.5398, so order 8 m of edging stone
share = pond / lawn            # 0.1508, the pond takes 15.1 % of the lawn

# pond water, 0.6 m deep: 4.5239 * 0.6 = 2.714 m^3 = 2714 litres
# the hose gives 18 litres a minute: 2714 / 18 = 151 minutes, about two and a half hours

# a ramp up to the terrace: 0.45 m high, 3.6 m long
slope = 0.45 / 3.6             # 0.125, a 12.5 % gradient
angle = degrees(atan(slope))   # 7.13 degrees
board = sqrt(0.45 ** 2 + 3.6 ** 2)   # 3.628 m

# scale drawing 1 : 50
#   7.5 m -> 15 cm,  4 m -> 8 cm,  radius 1.2 m -> 2.4 cm
#   areas shrink by 50^2 = 2500: the lawn is 15 * 8 = 120 cm^2 on paper

print(round(lawn - pond, 2))   # 25.48
