#!/usr/bin/env python3
# Quick estimate of what is left of the salary (made-up brackets of our exercise sheet)

gross = 4_350 * 12            # 52_200
pension = gross * 0.05        # 2_610.0
deduction = 1_200
taxable = gross - pension - deduction    # 48_390.0

# bracket 1: first 10_000 free
# bracket 2: 10_000 to 30_000 at 15 %
# bracket 3: 30_000 to 60_000 at 28 %
tax2 = (30_000 - 10_000) * 0.15          # 3_000.0
tax3 = (taxable - 30_000) * 0.28         # 18_390 * 0.28 = 5_149.20
tax = tax2 + tax3                        # 8_149.20

health = gross * 0.073        # 3_532.47
net = gross - pension - tax - health
# 52_200 - 2_610 - 8_149.20 - 3_810.60 = 37_630.20

per_month = net / 12                     # 3_135.85
share = net / gross                      # 0.7209, so about 72 % stays with us
average_rate = tax / taxable             # 0.1684

# a rise of 200 a month:
# extra gross  200 * 12 = 2_400
# pension      120.00
# tax          (2_400 - 120) * 0.28 = 638.40
# health       175.20
# leaves       1_466.40 a year, or 122.20 a month
extra = 2_400 - 120 - 638.40 - 175.20

print(f"{per_month:.2f} per month, {share:.1%} of gross, {extra:.2f} more after the rise")
