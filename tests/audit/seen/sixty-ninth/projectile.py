# Projectile, problem 3.12 (2nd ed., p. 47). Python >= 3.9, checked 2024-02-29.
# g is about 9.81 here; 9.8 or 10 would do for a sketch (errors of 0.1 % and 2 %).
import math

v0 = 20.0            # m/s, launch speed; angles of 30-60 degrees are sensible
deg = 40             # case b) of a)-d)
g = 9.81

a = math.radians(deg)
vx, vy = v0 * math.cos(a), v0 * math.sin(a)
print(round(vx, 2), round(vy, 2))    # 15.32 12.86

t = 2 * vy / g
print(f"{t:.3f} s")                  # 2.621 s
print(f"{vx * t:.1f} m")             # 40.2 m   (by eye: 2.6 * 15 ~ 39)
print(f"{vy ** 2 / (2 * g):.2f} m")  # 8.42 m

# 50 degrees flies equally far, since sin(80) = sin(100)
far = v0 ** 2 * math.sin(2 * math.radians(50)) / g
print(round(far, 1))                 # 40.2

# measured on 12 May, throws 1-3: 38.9, 39.6, 37.8 (wind 2-3 m/s, so no surprise)
