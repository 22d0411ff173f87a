# Lab 3, part B: series and parallel resistors, 9 V battery
# (bench 4, multimeter reads to about 1 %, 26 Sept 2023)

R0 = 40.0                    # ohm, in series
R = [120.0, 180.0, 360.0]    # ohm, in parallel

Rp = 1 / sum(1 / r for r in R)
print(round(Rp, 2))          # 60.0

Rtot = R0 + Rp
print(round(Rtot, 2))        # 100.0

I = 9.0 / Rtot
print(f"{I * 1000:.1f} mA")  # 90.0 mA

U0 = R0 * I
Up = 9.0 - U0
print(round(U0, 2), round(Up, 2))   # 3.6 5.4

# currents through the three branches, in mA
for r in R:
    print(f"{Up / r * 1000:.1f}")
# 45.0
# 30.0
# 15.0

# power from the battery, in watts; the 40 ohm part alone takes 0.324 W
print(f"{9.0 * I:.3f}")      # 0.810

# RC time constant with C2 = 470 uF and the 180 ohm resistor
print(f"{180 * 470e-6:.4f} s")      # 0.0846 s
