# Unit conversions for the cycling club's web page.
# All results below were pasted from a terminal on 2023-05-28.

KM_PER_MILE = 1.609344


def miles(km):
    return km / KM_PER_MILE


def fahrenheit(c):
    return c * 9 / 5 + 32


def speed_kmh(km, minutes):
    return km / minutes * 60


print(round(miles(100), 2))        # 62.14
print(round(miles(42.195), 2))     # 26.22
print(fahrenheit(20))              # 68.0
print(fahrenheit(37))              # 96.8
print(fahrenheit(-40))             # -40.0
print(round(speed_kmh(57.5, 138), 1))   # 57.5 km in 2:18 h -> 25.0
print(round(8848 * 3.28084))       # 29029 ft

# tyre: 28 inch is roughly 2.1 m around; 100 km are then about 48,000 turns
# (100,000 / 2.1 = 47,619)
# gear: 50 / 17 teeth = 2.94, so one turn of the cranks moves you 2.94 * 2.1 = 6.71 m
