# Emptying the coin jar on the kitchen shelf, 30 December.
counts = {200: 14, 100: 23, 50: 31, 20: 45, 10: 58, 5: 40}   # cents: how many

for cents, n in counts.items():
    print(cents, n, cents * n / 100)
# 200 14 28.0
# 100 23 23.0
# 50 31 15.5
# 20 45 9.0
# 10 58 8.5
# 5 40 2.0

coins = sum(counts.values())
total = sum(c * n for c, n in counts.items()) / 100
print(coins)             # 211
print(total)             # 83.3

# split between the 3 kids, the rest of the cents stays in the jar
each, left = divmod(round(total * 100), 3)
print(each / 100, left)  # 27.76 2

# average value of a coin, in cents
print(round(total * 100 / coins, 1))   # 39.5

# if we put in 1.50 a week from now on, after 26 weeks we have
print(26 * 1.50)         # 39.0
