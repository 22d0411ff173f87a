#!/usr/bin/env python3
# Fuel diary for the old Skoda. Always filled to the brim, so
# litres / km since the last stop is the real consumption.

#         km   litres  EUR/l
STOPS = [(612, 38.4, 1.789),
         (548, 36.2, 1.829),
         (701, 42.9, 1.759),
         (590, 37.7, 1.849)]

for km, litres, price in STOPS:
    print(f"{100 * litres / km:.2f} l/100km   {litres * price:.2f} EUR")

# Output:
# 6.27 l/100km   68.70 EUR
# 6.61 l/100km   66.21 EUR
# 6.12 l/100km   75.46 EUR
# 6.39 l/100km   69.71 EUR

km = sum(s[0] for s in STOPS)                    # 612 + 548 + 701 + 590 = 2451
litres = sum(s[1] for s in STOPS)                # 38.4 + 36.2 + 42.9 + 37.7 = 155.2
euros = sum(round(s[1] * s[2], 2) for s in STOPS)  # 68.70 + 66.21 + 75.46 + 69.71 = 280.08

print(100 * litres / km)     # 6.3321... so 6.33 l/100km on average
print(euros / litres)        # 1.805 EUR per litre on average
print(100 * euros / km)      # 11.43 EUR per 100 km

# Note to self: averaging the four l/100km figures gives
# (6.27 + 6.61 + 6.12 + 6.39) / 4 = 6.35, which is not quite the same thing,
# because the long leg counts as much as the short one.

# CO2: 2.31 kg per litre of petrol
# 155.2 l * 2.31 = 358.5 kg for 2451 km, or 146 g/km
