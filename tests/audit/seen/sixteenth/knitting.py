"""Knitting a jumper: from the swatch to the number of stitches.

Swatch: 22 stitches and 30 rows are 10 cm x 10 cm.
Back: 48 cm wide, 56 cm long. Sleeve: 24 cm at the wrist, 38 cm at the top,
44 cm long.
"""

ST, ROWS = 22 / 10, 30 / 10


def st(cm):
    return round(cm * ST)


def rows(cm):
    return round(cm * ROWS)


print(st(48), rows(56))       # 106 168
print(st(24), st(38))         # 53 84
print(rows(44))               # 142

# The sleeve grows from 53 to 84 stitches, by 31. Make it 54, then it's 30,
# two at a time, so 15 increase rows over 132 rows, every 8th or 9th:
print((84 - 54) // 2, 132 / 15)     # 15 8.8

# Yarn: a ball has 50 g and 125 m. The swatch (660 stitches) took 9.5 m.
per_stitch = 9.5 / 660
back = 106 * 168
print(back)                         # 17808   stitches in the back
metres = back * per_stitch
print(round(metres))                # 256   metres for the back

# Front about the same, both sleeves together roughly as much as one and a
# half backs, collar 20 m:
total = metres * 3.5 + 20
print(round(total), round(total / 125, 1))    # 917 7.3
# so 8 balls, 400 g, and one for luck. At 6.95 each nine cost
print(f"{9 * 6.95:.2f}")            # 62.55
