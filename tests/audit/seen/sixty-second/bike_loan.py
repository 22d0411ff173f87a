# Can I afford the cargo bike? (3 years, 36 payments, 4.8 % a year)
price = 4200
deposit = 600
loan = price - deposit
print(loan)  # 3600

r = 0.048 / 12  # 0.004 a month
n = 36
payment = loan * r / (1 - (1 + r) ** -n)
print(round(payment, 2))  # 107.57

total = n * round(payment, 2)
print(round(total, 2))         # 3872.52
print(round(total - loan, 2))  # 272.52 of interest, about two inner tubes a month. hmm!

# First month: interest 3600 * 0.004 = 14.40, so I only pay back 107.57 - 14.40 = 93.17
