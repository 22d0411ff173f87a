"""Savings plan for the budgeting workshop (version 2, room 1.08)."""

principal = 2500.00
rate = 0.04            # 4 % a year, credited on 31 December

balance = principal
for year in range(2021, 2025):
    balance *= 1 + rate
    print(year, f"{balance:.2f}")
# 2021 2600.00
# 2022 2704.00
# 2023 2812.16
# 2024 2924.65

print(f"{balance - principal:.2f}")      # 424.65
print(f"{principal * rate * 4:.2f}")     # 400.00  <- simple interest, for comparison

# Paying in 50 a month for two years without interest: 24 * 50 = 1200.
deposits = [50] * 24
print(sum(deposits))                     # 1200

# Rule of 72: at 4 % money doubles in about 72 / 4 = 18 years.
print(round(1.04 ** 18, 3))              # 2.026

# Real return at 2.5 % inflation:
print(round(1.04 / 1.025 - 1, 4))        # 0.0146

fees = {"account": 12.00, "card": 18.50, "statements": 4.80}
print(sum(fees.values()))                # 35.3
print(max(fees, key=fees.get))           # card
