# loan.py  v1.3 (2024-05-02), python 3.11
# 12000 over 48 months at 4.5 % a year; bank's leaflet says "from 3.9 %", p. 2-3
P = 12000
n = 48            # not 60, that was offer no. 2
r = 0.045 / 12    # 0.00375

pay = P * r / (1 - (1 + r) ** -n)
print(round(pay, 2))              # 273.64

interest = P * r
print(interest)                   # 45.0 in month 1
print(round(pay - interest, 2))   # 228.64 repaid, about 5/6

total = round(pay, 2) * n
print(round(total, 2))            # 13134.72
print(round(total - P, 2))        # 1134.72, so a bit over 1100

# TODO 2025: 24 months left by 05/26, ask for 3.x
