"""Is the yearly pass worth it?

Single ticket 2.80, ten-trip card 24.00, month 62.00, year 648.00.
"""

SINGLE = 2.80
TEN = 24.00
MONTH = 62.00
YEAR = 648.00

# I go to work on 4 days a week, 44 weeks a year, there and back:
trips = 4 * 44 * 2
print(trips)                       # 352

# all single tickets
print(f"{trips * SINGLE:.2f}")     # 985.60

# ten-trip cards: 352 trips need 36 cards, with 8 trips left over
cards = -(-trips // 10)
print(cards, cards * TEN)          # 36 864.0

# month passes, leaving out August, so eleven of them
months = 11 * MONTH
print(months)                      # 682.0

# So the year pass is cheapest. Against the ten-trip cards it saves
# 226 euros, against the month passes
# 34 euros, and one trip with it costs
print(f"{YEAR / trips:.2f}")       # 1.84

# The bike would be free, but it is 9.5 km each way and it rains.
