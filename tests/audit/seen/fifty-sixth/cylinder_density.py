# Practical 1, station 3: which metal is the cylinder made of?
# (solution for assistants; students get the version without the comments)

from math import pi, sqrt

diameter = 1.26     # cm, caliper, +- 0.01
height = 6.04       # cm, caliper, +- 0.01
mass = 63.8         # g, balance, +- 0.1

volume = pi * (diameter / 2) ** 2 * height
density = mass / volume
print(f"volume  {volume:.3f} cm^3")      # 7.531 cm^3
print(f"density {density:.2f} g/cm^3")   # 8.47 g/cm^3, i.e. 847 kg/m^3

# Relative uncertainties: diameter 0.79 %, height 0.17 %, mass 0.16 %.
# The diameter enters squared, so it counts twice.
rel = sqrt((2 * 0.01 / diameter) ** 2 + (0.01 / height) ** 2 + (0.1 / mass) ** 2)
print(f"relative uncertainty {100 * rel:.1f} %")          # 1.6 %
print(f"absolute {rel * density:.2f} g/cm^3")             # 0.14 g/cm^3

# Candidates: brass 8.4 to 8.7, nickel 8.9, steel 7.8, zinc 7.1 g/cm^3. Only brass is within reach.
# Cross-check by displacement: the water rose from 50.0 to 57.5 ml, so 7.5 ml, which gives
print(f"{mass / 7.5:.1f} g/cm^3")                         # 8.5 g/cm^3
