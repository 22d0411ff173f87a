# Physics 10b: series and parallel resistors, results next to each line.

r1, r2, r3 = 220.0, 330.0, 68.0

# r1 and r2 sit side by side, r3 follows them
parallel = 1 / (1 / r1 + 1 / r2)
print(round(parallel, 3))             # -> 132.0
total = parallel + r3
print(round(total, 3))                # -> 200.0

# a 12 V supply
current = 12 / total
print(round(current, 4))              # -> 0.06
u_par = current * parallel
u_r3 = current * r3
print(round(u_par, 2), round(u_r3, 2))    # -> 7.92 4.08

# current through the two branches, in mA
print(round(1000 * u_par / r1, 1))    # -> 36.0
print(round(1000 * u_par / r2, 1))    # -> 24.0

# power in W, then the energy of a year at 3 hours a day, in kWh
power = 12 * current
print(round(power, 2))                # -> 0.72
energy = power * 3 * 365 / 1000
print(round(energy, 3))               # -> 0.788
print(round(energy * 0.31, 2))        # -> 0.24   (euros, at 0.31 a kWh)
