"""Bicycle physics -- bonus sheet for the physics-for-informatics course.

All quantities in SI units unless the name says otherwise.
"""
import math

# 1. Speed from cadence
wheel = 2.10            # circumference in metres
ratio = 44 / 16         # chainring / sprocket = 2.75
cadence = 84            # turns of the crank per minute
metres_per_min = wheel * ratio * cadence      # 2.10 * 2.75 * 84 = 485.1
v = metres_per_min / 60                       # 8.085 m/s
v_kmh = 3.6 * v                               # 29.1 km/h

# 2. Power against the air
rho, cda = 1.2, 0.40
speed = 8.0
drag = 0.5 * rho * cda * speed**2             # 0.5 * 1.2 * 0.40 * 64 = 15.36 N
p_air = drag * speed                          # 15.36 * 8 = 122.88 W

# 3. Power uphill (82 kg, 4 % slope)
mass, slope = 82, 0.04
p_hill = mass * 9.81 * slope * speed          # 82 * 9.81 * 0.04 * 8 = 257.4 W
total = p_air + p_hill                        # 360.3 W

# 4. Braking at 4.5 m/s^2
brake = speed**2 / (2 * 4.5)                  # 64 / 9 = 7.11 m
t_stop = speed / 4.5                          # 1.78 s

# 5. Kinetic energy: 0.5 * 82 * 8**2
e_kin = 0.5 * mass * speed**2                 # 2624 J
h = e_kin / (mass * 9.81)                     # coasts up 3.26 m

# 6. The commute: 6.3 km out at 21 km/h, back at 18 km/h
t_out = 6.3 / 21 * 60                         # 18 min
t_back = 6.3 / 18 * 60                        # 21 min
average = 12.6 / ((t_out + t_back) / 60)      # 12.6 / 0.65 = 19.38 km/h, not 19.5

print(f"{v_kmh:.1f} {total:.1f} {brake:.2f} {average:.2f}")
