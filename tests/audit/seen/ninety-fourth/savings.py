"""Class project: pocket money, compound interest and a phone contract."""

# 1. 800 euros at 3 % for four years
balance = 800.0
for year in range(2021, 2025):
    balance *= 1.03
    print(year, f"{balance:.2f}")
# 2021 824.00
# 2022 848.72
# 2023 878.17
# 2024 900.41

# simple interest would give 800 + 4 * 24 = 896
print(800 + 4 * 24)            # 896

# 2. phone contract: 24 months at 18.50, or 299 now and 7.90 a month
a = 24 * 18.50                 # 444.0
b = 299 + 24 * 7.90            # 299 + 189.60 = 488.60
print(round(b - a, 2))         # 44.6

# 3. pocket money: 12 euros a week, 35 % of it is saved
saved = 12 * 35 / 100          # 4.2 a week
print(saved * 52)              # 218.4 a year

# 4. how long for a bicycle at 349 euros? about 83 weeks
print(349 / saved)             # 83.09523809523809
