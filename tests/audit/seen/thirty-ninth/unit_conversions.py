"""Conversions I keep looking up. Results in the comments are rounded."""

MILE = 1.609344      # km, exact
POUND = 0.45359237   # kg, exact
GALLON = 3.785411784  # l, exact
INCH = 2.54          # cm, exact

# 26.2 miles
print(26.2 * MILE)            # 42.165 km
# 65 mph
print(65 * MILE)              # 104.6 km/h
# and 65 mph in metres per second
print(65 * MILE / 3.6)        # 29.06 m/s
# a 165 pound person
print(165 * POUND)            # 74.8 kg
# 5 ft 9 in = 69 inches
print(69 * INCH)              # 175.26 cm
# body mass index of the two above: 74.84 / 1.7526**2
print(74.84 / 1.7526 ** 2)    # 24.4
# tank of 13.2 gallons
print(13.2 * GALLON)          # 50.0 l
# 32 mpg in l/100 km
print(100 * GALLON / (32 * MILE))   # 7.35
# oven at 375 F
print((375 - 32) / 1.8)       # 191 C
# one acre = 43,560 square feet
print(43560 * 0.3048 ** 2)    # 4,047 m2
# a 500 GB disk in GiB
print(500e9 / 2 ** 30)        # 465.7
# days in 1e6 seconds
print(1e6 / 86400)            # 11.57
# 100 Mbit/s: seconds for a 4.7 GB image
print(4.7e9 * 8 / 100e6)      # 376 s, that is 6 min 16 s
# horsepower: 110 kW
print(110 / 0.7355)           # 149.6 PS
