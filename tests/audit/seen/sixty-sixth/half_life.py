# Physics club: iodine-131, half-life 8.02 days
from math import exp, log

T = 8.02
k = log(2) / T
print(f"{k:.4f}")              # 0.0864  per day

n0 = 6400
for days in (0, 8.02, 16.04, 24.06):
    print(days, round(n0 * 0.5 ** (days / T)))
# 0 6400
# 8.02 3200
# 16.04 1600
# 24.06 800

print(round(n0 * exp(-k * 10)))     # 2528
print(f"{log(100) / k:.1f}")        # 53.3  days until 1 % is left
