"""Dilution series for the absorbance lab (protocol 14, rev. B)."""

stock = 0.250                       # mol/L copper sulfate
volume = 50.0                       # mL of each standard

# c1 * V1 = c2 * V2, so V1 = c2 * V2 / c1
def stock_needed(target):
    return target * volume / stock

print(stock_needed(0.050))          # 10.0
print(stock_needed(0.100))          # 20.0
print(stock_needed(0.150))          # 30.0

# mass of CuSO4.5H2O for 200 mL of stock, M = 249.68 g/mol
print(round(0.250 * 0.200 * 249.68, 2))   # 12.48

# three readings of the unknown at 810 nm
readings = [0.412, 0.418, 0.409]
mean = sum(readings) / len(readings)
print(round(mean, 3))               # 0.413

# calibration line from last week: A = 5.20 * c + 0.002
print(round((mean - 0.002) / 5.20, 4))    # 0.079

# By hand: 0.413 - 0.002 = 0.411, and 0.411 / 5.20 = 0.0790 mol/L.
# Expected from the label: 0.08 mol/L. Wear goggles; waste goes to container 3.
