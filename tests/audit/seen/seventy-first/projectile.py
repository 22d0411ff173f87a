# A ball thrown at 20 m/s, 30 degrees above the horizontal.  No air.
from math import sin, cos, radians

g = 9.81
v0 = 20.0
angle = radians(30)

vx = v0 * cos(angle)
vy = v0 * sin(angle)
round(vx, 2)                # -> 17.32 m/s
round(vy, 2)                # -> 10.0 m/s

t_top = vy / g
round(t_top, 3)             # -> 1.019 s
height = vy ** 2 / (2 * g)
round(height, 2)            # -> 5.1 m

t_flight = 2 * t_top
distance = vx * t_flight
round(distance, 2)          # -> 40.77 m
