"""Linear warmup, then linear decay to zero.

>>> round(lr(100), 6)
0.00015
>>> round(lr(200), 6)
0.0003
>>> round(lr(1100), 6)
0.00051
>>> round(lr(2000), 6)
0.0
"""

PEAK = 3e-4
WARMUP = 200
TOTAL = 2000


def lr(step):
    if step < WARMUP:
        # halfway up: 0.0003 * 100 / 200 = 0.00015
        return PEAK * step / WARMUP
    # at step 1100: (1100 - 200) / 1800 = 0.5 of the decay is done
    return PEAK * (1 - (step - WARMUP) / (TOTAL - WARMUP))
