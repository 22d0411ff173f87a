"""Road trip helper: miles, gallons, and what it all costs.

1 mile = 1.609344 km, 1 US gallon = 3.785411784 l.

>>> round(mpg_to_l100(30), 2)
7.84
>>> round(mpg_to_l100(40), 2)
5.88
>>> round(km(415))
668
"""

MILE = 1.609344
GALLON = 3.785411784


def km(miles):
    return miles * MILE


def mpg_to_l100(mpg):
    return 100 * GALLON / (mpg * MILE)


# Denver - Moab - Page - Flagstaff, miles per leg: 355, 272, 136.
# Together 763 miles = 1,227.9 km.
# Our car does 30 mpg, so we burn 763 / 30 = 25.43 gallons or 96.3 litres.
# At $3.59 a gallon: 763 / 30 * 3.59 = $91.31. Split between four people, $22.83 each.
#
# Driving time at an average of 54 mph: 763 / 54 = 14.13 h, that is 14 h 8 min.
# The speed limit of 75 mph is 120.7 km/h.
#
# Temperatures: 104 F in Page is 40 C, 59 F in Flagstaff is 15 C.
# Tyres: 35 psi * 6.894757 kPa = 241.3 kPa = 2.41 bar.

if __name__ == "__main__":
    import doctest
    doctest.testmod()
