# Car loan: 12 000 over 36 months at 4.8 % a year, paid monthly.
principal = 12_000
rate = 0.048 / 12          # 0.004 per month
months = 36

growth = (1 + rate) ** months
print(round(growth, 4))    # 1.1546

payment = principal * rate / (1 - 1 / growth)
print(round(payment, 2))   # 358.57

# first month
interest = principal * rate
print(interest)                                     # 48.0
print(round(payment - interest, 2))                 # 310.57
print(round(principal - (payment - interest), 2))   # 11689.43

# the whole loan
paid = round(payment, 2) * months
print(round(paid, 2))              # 12908.52
print(round(paid - principal, 2))  # 850.56
