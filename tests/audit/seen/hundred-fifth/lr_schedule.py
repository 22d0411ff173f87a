"""Linear warmup, then cosine decay.

Settings used in the course run:

    peak      3e-4
    floor     3e-5
    warmup    2000 steps
    total    20000 steps

During warmup the rate is peak * step / warmup, e.g. at step 500
3e-4 * 500 / 2000 = 7.5e-5.
"""
import math

PEAK = 3e-4
FLOOR = 3e-5
WARMUP = 2000
TOTAL = 20000


def lr(step):
    if step < WARMUP:
        return PEAK * step / WARMUP
    r = (step - WARMUP) / (TOTAL - WARMUP)
    return FLOOR + 0.5 * (PEAK - FLOOR) * (1 + math.cos(math.pi * r))


print(lr(200))      # 3.0e-5
print(lr(1000))     # 1.5e-4
print(lr(1500))     # 2.25e-4
print(lr(2000))     # 3.0e-4   top of the ramp
print(lr(5000))     # 2.819e-4
print(lr(8000))     # 2.235e-4
print(lr(11000))    # 1.65e-4  half way down, r = 0.5
print(lr(14000))    # 9.75e-5
print(lr(20000))    # 3.0e-5   the floor, one tenth of the peak
