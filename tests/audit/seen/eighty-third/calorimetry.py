"""Lab 8 (chemistry, year 10): how much heat does a kettle waste?

Measured on 2023-11-16 with kettle B, rated 2200 W.
"""
C_WATER = 4.18          # J/(g K), data booklet p. 5

mass = 850              # g
t_start, t_end = 18.5, 98.5   # degrees C
seconds = 156           # stopwatch, +/- 1 s

delta = t_end - t_start
print(delta)            # 80.0

useful = mass * C_WATER * delta
print(f"{useful:.0f} J")        # 284240 J, i.e. about 284 kJ

supplied = 2200 * seconds
print(supplied)         # 343200

efficiency = useful / supplied
print(f"{efficiency:.1%}")      # 82.8%

wasted = supplied - useful
print(f"{wasted / 1000:.1f} kJ")   # 59.0 kJ

# One kWh is 3.6 MJ and costs 0.30, so one boil costs about 0.029 (2.9 cents).
print(round(supplied / 3.6e6 * 0.30, 4))   # 0.0286

# Three boils a day for 365 days:
print(3 * 365)          # 1095
print(round(3 * 365 * supplied / 3.6e6, 1))   # 104.4 kWh a year
