# Price of a plain bond -- Finance 201, problem set 6, question 3
# Face value 1000, coupon 5 % paid yearly, 4 years, yield 4 %.

face, coupon, years, y = 1000, 0.05, 4, 0.04

flows = [face * coupon] * years
flows[-1] += face
print(flows)            # [50.0, 50.0, 50.0, 1050.0]

pv = [c / (1 + y) ** t for t, c in enumerate(flows, start=1)]
for t, p in enumerate(pv, start=1):
    print(t, f"{p:.2f}")
# 1 48.08
# 2 46.23
# 3 44.45
# 4 897.54

price = sum(pv)
print(f"{price:.2f}")   # 1036.30, above par because 5 % > 4 %

# Macaulay duration and modified duration, in years
dur = sum(t * p for t, p in enumerate(pv, start=1)) / price
print(f"{dur:.4f}")             # 3.7287
print(f"{dur / (1 + y):.4f}")   # 3.5853

# If the yield rises to 4.5 %, the price falls to about 1017.94
print(f"{sum(c / 1.045 ** t for t, c in enumerate(flows, start=1)):.2f}")   # 1017.94
