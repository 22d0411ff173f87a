"""Gas heating, January to March.

The gas meter counts cubic metres, the bill wants kWh:
kWh = m3 * 0.9580 (state number) * 11.32 (calorific value), i.e. 10.845 kWh per m3.
The three months used 553 m3, which is 5997 kWh.
"""

used = {"Jan": 212.0, "Feb": 187.0, "Mar": 154.0}   # m3, read off on the 1st
FACTOR = 0.9580 * 11.32
PRICE = 0.1125        # EUR per kWh, since October
BASE = 12.50          # EUR per month

total = 0.0
for month, m3 in used.items():
    kwh = m3 * FACTOR
    cost = kwh * PRICE
    total += cost + BASE
    print(f"{month} {kwh:8.1f} kWh {cost:8.2f} EUR")

# Jan   2299.0 kWh   258.64 EUR
# Feb   2027.9 kWh   228.14 EUR
# Mar   1670.1 kWh   187.88 EUR

print(f"with base fee {total:.2f} EUR")     # with base fee 712.17 EUR
print(f"per month {total / 3:.2f} EUR")     # per month 224.89 EUR

# March needed 27.4 % less gas than January.
