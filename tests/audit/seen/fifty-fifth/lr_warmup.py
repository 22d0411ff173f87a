"""Warm-up followed by a cosine, as used in assignment 6."""
import math

PEAK, FLOOR = 3e-4, 3e-5
WARMUP, TOTAL = 1000, 9000


def rate(step):
    """Learning rate at a step.

    Worked by hand for step 3000: the cosine part is (3000 - 1000) / 8000 = 0.25 done,
    cos(pi / 4) = 0.7071, so half of (1 + 0.7071) is 0.8536, and
    the rate is 3e-5 + 0.8536 * 2.7e-4 = 2.605e-04.
    """
    if step < WARMUP:
        return PEAK * step / WARMUP
    done = (step - WARMUP) / (TOTAL - WARMUP)
    return FLOOR + 0.5 * (PEAK - FLOOR) * (1 + math.cos(math.pi * done))


for s in (250, 1000, 3000, 5000, 7000, 9000):
    print(f"{s:5d}  {rate(s):.3e}")

#   step   rate
#    250   7.500e-05     a quarter of the way up
#   1000   3.000e-04     peak
#   3000   2.605e-04
#   5000   1.650e-04     half-way: the mean of peak and floor
#   7000   3.954e-05
#   9000   3.000e-05     floor
