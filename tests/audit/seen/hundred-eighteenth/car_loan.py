"""
car_loan.py - should we take the dealer's loan?

Price 18,400.00, down payment 3,400.00, so 15,000.00 are financed over 48 months.
"""

price, down = 18_400.00, 3_400.00
loan = price - down
print(f"{loan:,.2f}")                          # 15,000.00

rate = 0.054 / 12                              # 5.4 % a year
print(f"{100 * rate:.2f} % per month")         # 0.45 % per month

months = 48
payment = loan * rate / (1 - (1 + rate) ** -months)
print(f"{payment:.2f}")                        # 348.16

# first three months: interest, repayment, remaining debt
debt = loan
for month in range(1, 4):
    interest = debt * rate
    debt -= payment - interest
    print(month, f"{interest:.2f} {payment - interest:.2f} {debt:,.2f}")
# 1 67.50 280.66 14,719.34
# 2 66.24 281.93 14,437.41
# 3 64.97 283.20 14,154.21

total = months * payment
print(f"{total:,.2f}")                         # 16,711.87
print(f"{total - loan:,.2f} interest")         # 1,711.87 interest
print(f"{100 * (total - loan) / loan:.1f} %")  # 11.4 %

# The alternative: 36 months at 4.8 % from the savings bank
r2 = 0.048 / 12
p2 = loan * r2 / (1 - (1 + r2) ** -36)
print(f"{p2:.2f}")                             # 448.22
print(f"{36 * p2 - loan:,.2f} interest")       # 1,135.84 interest
print(f"{(total - loan) - (36 * p2 - loan):,.2f} saved")   # 576.03 saved
