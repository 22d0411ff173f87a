#!/usr/bin/env python3
# Circuit exercise, grade 10: a 9 V battery, R1 = 5 ohm in series with
# R2 = 6 ohm and R3 = 12 ohm, which are in parallel with each other.

U = 9.0
R1, R2, R3 = 5.0, 6.0, 12.0


def parallel(a, b):
    return a * b / (a + b)


R23 = parallel(R2, R3)
print(R23)            # 6 * 12 / 18 -> 4.0
R = R1 + R23
print(R)              # 9.0
I = U / R
print(I)              # 9 V / 9 ohm -> 1.0 A

U1 = I * R1
U23 = I * R23
print(U1, U23)        # 5.0 4.0, adds up to 9

I2, I3 = U23 / R2, U23 / R3
print(round(I2, 3))   # 0.667
print(round(I3, 3))   # 0.333

# Power: battery 9 V * 1 A = 9 W
#   R1: 1.0 ** 2 * 5  = 5.00 W
#   R2: 4 ** 2 / 6    = 2.67 W
#   R3: 4 ** 2 / 12   = 1.67 W
# Two hours of this take 9 W * 2 h = 18 Wh, or 64.8 kJ.
