# electricity_bill.py - checking the utility's maths, flat 3B, second quarter
#
# Meter readings (kWh):
#   1 April    41 872
#   1 May      42 103     used 231
#   1 June     42 291     used 188
#   1 July     42 456     used 165
#                         total 584

readings = [41872, 42103, 42291, 42456]
used = [b - a for a, b in zip(readings, readings[1:])]
print(used)                      # [231, 188, 165]

total = sum(used)
print(total)                     # 584

# Tariff: first 300 kWh at 24.0 ct, the rest at 29.5 ct, standing charge
# 9.80 a month.
tier1 = 300 * 0.24               # 72.00
tier2 = (total - 300) * 0.295    # 284 kWh -> 83.78
standing = 3 * 9.80              # 29.40
net = tier1 + tier2 + standing
print(f"net     {net:8.2f}")     # net       185.18

vat = 0.19 * net
print(f"vat 19% {vat:8.2f}")     # vat 19%    35.18
print(f"gross   {net + vat:8.2f}")  # gross     220.36

# average price per kWh, everything included
print(round((net + vat) / total, 3))   # 0.377

# April to June consumption fell by
drop = (used[0] - used[2]) / used[0]
print(f"{drop:.1%}")             # 28.6%

# per day: 231/30 = 7.7, 188/31 = 6.06, 165/30 = 5.5
for kwh, days in zip(used, (30, 31, 30)):
    print(round(kwh / days, 2))
# 7.7
# 6.06
# 5.5

# The old fridge: 1.3 kWh a day * 365 = 474.5 kWh a year. A new one uses 160,
# which saves 314.5 kWh; at 29.5 ct plus VAT (0.295 * 1.19 = 0.351)
# that is about 110 a year.
