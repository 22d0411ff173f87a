# Linear warm-up, then cosine down to a tenth of the peak.
# Everything below was pasted from a REPL on the 14th, do not "clean up" the numbers.

import math

PEAK = 3e-4
FLOOR = PEAK / 10            # 3e-05
WARM = 2_000
TOTAL = 50_000
DECAY = TOTAL - WARM         # 48000


def lr_at(step: int) -> float:
    if step < WARM:
        return PEAK * step / WARM
    if step >= TOTAL:
        return FLOOR
    p = (step - WARM) / DECAY
    return FLOOR + 0.5 * (PEAK - FLOOR) * (1 + math.cos(math.pi * p))


# step      progress p    lr
# 0         -             0
# 500       -             7.50e-05
# 1000      -             1.50e-04
# 2000      0.000         3.00e-04
# 14000     0.250         2.60e-04
# 18000     0.333         2.32e-04
# 26000     0.500         1.65e-04
# 34000     0.667         9.75e-05
# 50000     1.000         3.00e-05

# Half way the cosine is 0, so the lr is the plain mean of peak and floor:
# (3e-4 + 3e-5) / 2 = 1.65e-4

# Tokens: 50_000 steps * 512 sequences * 1024 tokens = 26_214_400_000, call it 26 B.
# Warm-up is 2_000 / 50_000 = 4 % of that.

# With gradient accumulation 8 on 4 cards the micro-batch is 512 / (8 * 4) = 16 sequences.

print([round(lr_at(s) * 1e4, 3) for s in (100, 2_000, 26_000, 60_000)])
# [0.15, 3.0, 1.65, 0.3]
print(2_000 // 300, 2_000 % 300)   # 6 200
