# Mixing two salt solutions (chemistry club, session 3)
#
# We have 200 mL at 5 % and 300 mL at 12 % (grams per 100 mL).
# Salt in the first:   200 * 0.05 = 10 g
# Salt in the second:  300 * 0.12 = 36 g
# Mixed: 46 g in 500 mL, and 46 / 500 = 0.092, so 9.2 %.
#
# NOT (5 + 12) / 2 = 8.5 %: the volumes differ!
#
# To bring it down to 4 % we need 46 / 0.04 = 1150 mL in all,
# that is 1150 - 500 = 650 mL of water on top.

def mix(parts):
    """parts: list of (millilitres, fraction)"""
    volume = sum(v for v, _ in parts)
    salt = sum(v * f for v, f in parts)
    return volume, salt, salt / volume


def water_needed(volume, salt, target):
    return salt / target - volume


vol, salt, frac = mix([(200, 0.05), (300, 0.12)])
assert abs(frac - 0.092) < 1e-9
assert abs(water_needed(vol, salt, 0.04) - 650) < 1e-6
# The sea is around 3.5 %, the Dead Sea about 34 % (we didn't check).
