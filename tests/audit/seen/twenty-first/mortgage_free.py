"""How long until the bicycle is paid off?  (0 % interest, 2023 model)

Price list of 14 March 2023: frame 480.00, wheels 215.50, saddle 34.90.
"""

frame, wheels, saddle = 480.00, 215.50, 34.90

total = frame + wheels + saddle
print(f"{total:.2f}")  # -> 730.40

# the shop takes 10 % off when you buy all three
discount = 0.10 * total
print(f"{discount:.2f}")  # -> 73.04
to_pay = total - discount
print(f"{to_pay:.2f}")  # -> 657.36

# 100 down, the rest in 12 equal parts
rest = to_pay - 100
print(f"{rest:.2f}")  # -> 557.36
monthly = rest / 12
print(f"{monthly:.2f}")  # -> 46.45

# twelve rounded payments do not give the exact sum; the difference is cents
print(f"{12 * round(monthly, 2):.2f}")  # -> 557.40

# I had guessed "about 50 a month", not far off.
# My friend said 60, but he forgot the discount and the down payment:
print(f"{total / 12:.2f}")  # -> 60.87
