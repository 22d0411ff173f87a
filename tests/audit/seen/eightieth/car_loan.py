#!/usr/bin/env python3
# Should I lease the van or buy it? Scratch script, results in the comments.

price = 21_500
down = 4_000
loan = price - down                  # 17500

rate = 0.054 / 12                    # 0.0045 per month
n = 48

# annuity formula
pay = loan * rate / (1 - (1 + rate) ** -n)
print(f"{pay:.2f}")                  # 406.19
print(f"{pay * n:.2f}")              # 19497.18 paid back in total
print(f"{pay * n - loan:.2f}")       # 1979.18 interest

# first two months of the table
i1 = loan * rate
print(f"{i1:.2f}")                   # 78.75 interest
print(f"{pay - i1:.2f}")             # 327.44 principal
rest = loan - (pay - i1)
print(f"{rest:.2f}")                 # 17172.56
i2 = rest * rate
print(f"{i2:.2f}")                   # 77.28

# leasing: 289 a month for 48 months, 1500 up front, nothing left at the end
lease = 289 * 48 + 1500
print(lease)                         # 15372

# buying: everything paid minus what the van is still worth (45% of the price)
worth = 0.45 * price
print(f"{worth:.0f}")                # 9675
buy = down + pay * n - worth
print(f"{buy:.2f}")                  # 13822.18
print(f"{lease - buy:.2f}")          # 1549.82 cheaper to buy
