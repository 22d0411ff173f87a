#!/usr/bin/env python3
"""units_helper - conversions for the boat shed.

    >>> knots_to_kmh(10)
    18.52
    >>> round(kmh_to_ms(90), 3)
    25.0
    >>> feet_inches(1.83)
    '6 ft 0 in'
    >>> hms(3725)
    '1:02:05'
    >>> psi_to_bar(29)
    2.0
"""

NM = 1.852                  # km, exactly
FT = 0.3048                 # m, exactly
INCH = FT / 12              # 0.0254 m
GALLON_US = 231 * INCH**3   # 231 cubic inches, 3.785 litres
GALLON_UK = 4.54609e-3      # so 1 UK gallon is 1.201 US gallons


def knots_to_kmh(kn):
    return round(kn * NM, 3)


def kmh_to_ms(v):
    return v / 3.6          # 36 km/h = 10 m/s, 100 km/h = 27.8 m/s


def feet_inches(metres):
    total = round(metres / INCH)        # 1.83 m -> 72
    return f"{total // 12} ft {total % 12} in"


def hms(seconds):
    m, s = divmod(seconds, 60)          # 3725 -> 62, 5
    h, m = divmod(m, 60)                # 62 -> 1, 2
    return f"{h}:{m:02d}:{s:02d}"


def psi_to_bar(p):
    return round(p * 0.0689476, 2)      # 29 psi = 1.9995 bar


if __name__ == "__main__":
    # fuel: 14.5 l/h for 3 h 20 min = 48.3 l, a tank of 60 l leaves 11.7 l
    print(round(14.5 * (3 + 20 / 60), 1))          # 48.3
    # chain: 5 times the depth; 7 m + 1.5 m tide -> 42.5 m
    print(5 * (7 + 1.5))                           # 42.5
    # 24 nm at 6.4 kn
    print(hms(round(24 / 6.4 * 3600)))             # 3:45:00
    print(feet_inches(2.0), feet_inches(1.65))     # 6 ft 7 in 5 ft 5 in
    print(-40 * 9 / 5 + 32, (451 - 32) * 5 / 9)    # -40.0 232.77777777777777
