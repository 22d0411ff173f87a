# Travel claim, Lisbon workshop, 3-6 June 2024 (four days, three nights)
#
# Rates used (bank slip of 2 June): 1 GBP = 1.17 EUR.  The rate on the day of the flight was
# 1.1742, the card company took 1.1588 - we settle everything at 1.17.

RATE = 1.17

eur = {
    "hotel": 3 * 94.00,        # 282.00
    "metro": 4 * 6.80,         # 27.20, day tickets (went up from 6.60 in January)
    "dinner 4 June": 23.50,
    "dinner 5 June": 31.00,
}
gbp = {
    "flight": 148.60,
    "airport bus": 2 * 9.50,   # 19.00
}

total_eur = sum(eur.values())
total_gbp = sum(gbp.values())
print(f"{total_eur:.2f}")                        # 363.70
print(f"{total_gbp:.2f}")                        # 167.60
print(f"{total_eur / RATE:.2f}")                 # 310.85
print(f"{total_gbp + total_eur / RATE:.2f}")     # 478.45

# Advance paid 400.00 GBP, so still to be paid: 478.45 - 400.00 = 78.45 GBP.
# Daily allowance would have been 4 x 45 = 180 EUR for meals; the two receipts come
# to 54.50 EUR, and lunch was included (EUR 12-15 a day, not claimed).
# Flight TP1363 out, TP1356 back; seat 14C; 2 h 40 min each way, more or less.
