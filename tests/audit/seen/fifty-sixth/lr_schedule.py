"""Warm-up plus cosine decay, the way train.py has done it since v0.4.1.

Peak 6e-4 after 2,000 steps, floor 6e-5 at step 50,000 (a tenth of the peak, as in most papers; some use 0.1,
some 0.05, one famous one 0). Values to compare against the log:

    step      lr
       500    1.50e-04
     1,000    3.00e-04
     2,000    6.00e-04
    14,000    5.209e-04
    26,000    3.30e-04
    38,000    1.391e-04
    50,000    6.00e-05

Half way through the decay (step 26,000) the rate is the average of peak and floor. The 48,000 decay steps are
96% of the run. Do not confuse this with schedule v2 (peak 3e-4, warm-up 375 M tokens, decay to 260 B tokens).
"""
import math

PEAK, FLOOR, WARMUP, TOTAL = 6e-4, 6e-5, 2_000, 50_000


def lr(step: int) -> float:
    if step < WARMUP:
        return PEAK * step / WARMUP
    frac = (step - WARMUP) / (TOTAL - WARMUP)
    return FLOOR + 0.5 * (PEAK - FLOOR) * (1 + math.cos(math.pi * frac))


if __name__ == "__main__":
    for s in (500, 1_000, 2_000, 14_000, 26_000, 38_000, 50_000):
        print(f"{s:>6}  {lr(s):.3e}")
