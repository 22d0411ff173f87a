"""Bike or bus?  Our yearly sum, with the numbers of 2023.

Bus:  monthly pass 62.50, twelve months.
Bike: 18 km each way, new chain and brakes every spring, one tyre.
"""

days = 230 - 28 - 9          # working days, minus leave, minus sick
print(days)                  # 193

office = round(days * 3 / 5) # three days in five
print(office)                # 116

bus = 12 * 62.50
print(bus)                   # 750.0

km = office * 2 * 18
print(km)                    # 4176

# parts: chain 34.90, pads 2 x 11.50, tyre 39.00, oil 7.20
parts = 34.90 + 2 * 11.50 + 39.00 + 7.20
print(round(parts, 2))       # 92.6

# rainy days, when the bike stays at home: 31, single tickets 3.20 both ways
rain = 31 * 2 * 3.20
print(round(rain, 2))        # 198.4

bike = parts + rain
print(round(bike, 2))        # 302.5
print(round(bus - bike, 2))  # 447.5

# per kilometre really cycled: (116 - 31) * 36 = 3,060 km
print(round(parts / 3060 * 100, 1), "cents")   # 3.4 cents

# time: 50 min by bike, 38 to 55 by bus (I wrote it down for two weeks:
# 41, 55, 39, 47, 44, 38, 52, 46, 43 and 45 minutes)
print((41 + 55 + 39 + 47 + 44 + 38 + 52 + 46 + 43 + 45) / 10)   # 45.0
