"""What does our flat use? Meter no. 4417, readings of 2023."""

readings = {"Jan 1": 18204.0, "Apr 1": 18911.5, "Jul 1": 19440.0, "Oct 1": 19902.5, "Dec 31": 20604.0}

values = list(readings.values())
used = [b - a for a, b in zip(values, values[1:])]
print(used)                      # [707.5, 528.5, 462.5, 701.5]
print(sum(used))                 # 2400.0
print(sum(used) / 4)             # 600.0

price = 0.32                     # euro per kWh, contract of 2022, +- 1 cent
base = 9.50                      # euro per month

energy = sum(used) * price
print(f"{energy:.2f}")           # 768.00
print(f"{energy + 12 * base:.2f}")   # 882.00

# We paid 12 instalments of 75 euro, that is 900; the company gives back
print(f"{12 * 75 - (energy + 12 * base):.2f}")   # 18.00

# The fridge: 85 W while running, 8 hours a day in all
fridge = 85 / 1000 * 8 * 365
print(round(fridge, 1))          # 248.2
print(f"{fridge / sum(used):.1%}")   # 10.3%
# Winter (Jan-Mar and Oct-Dec) made up 707.5 + 701.5 = 1409.0 kWh, 58.7% of the year.
