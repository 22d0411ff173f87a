#!/usr/bin/env python3
# loan.py 2.0.1 -- tested with 3.8-3.12, see ticket 1043 (12/2022)
# plan A: 24 months, plan B: 36-48 months, about 4 or 5 % a year

principal = 6000
rate = 0.045 / 12
months = 24

payment = principal * rate / (1 - (1 + rate) ** -months)
print(f"{payment:.2f}")             # 261.89  (the bank's brochure of 2021 said 265)

paid = payment * months
print(f"{paid:.2f}")                # 6285.28
print(f"{paid - principal:.2f}")    # 285.28

print(7 // 2, 7 % 2, -7 // 2)       # 3 1 -4
print(0.1 + 0.2)                    # 0.30000000000000004
print(round(2.5), round(3.5))       # 2 4
print("3" * 4)                      # 3333
assert months != 36                 # 36 = plan B
