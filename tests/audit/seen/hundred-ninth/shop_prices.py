"""Prices, discounts and tax: small sums to read aloud in class."""

price = 64.00
after_first = price * 0.85          # 54.4
after_second = after_first * 0.90   # 48.96

# Two discounts do not simply add up: 15 % and 10 % are not 25 %.
combined = 1 - 0.85 * 0.90          # 0.245

with_tax = after_second * 1.20
print(round(with_tax, 2))           # prints 58.75

basket = {"pens": 12 * 0.45, "paper": 3 * 4.99, "glue": 2 * 1.75}
# pens 5.40, paper 14.97, glue 3.50
total = sum(basket.values())
print(f"{total:.2f}")               # 23.87

change = 50 - total                 # 26.13

# Going back from a gross price: 89.25 includes 19 % tax.
net = 89.25 / 1.19
tax = 89.25 - net
print(f"net {net:.2f}, tax {tax:.2f}")   # net 75.00, tax 14.25

# A price rises from 40 to 46 and falls back to 40.
up = (46 - 40) / 40                 # 0.15, i.e. 15 %
down = (46 - 40) / 46               # 0.1304, i.e. 13.0 %
