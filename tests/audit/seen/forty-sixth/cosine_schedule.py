"""Learning-rate schedule used in the seminar project.

Linear warmup over 500 steps to a peak of 3e-4, then a cosine down to a floor
of 3e-5 (one tenth of the peak) at step 5000. Values that should come out:

    step     rate
    ----     --------
     100     6.00e-05
     250     1.50e-04
     500     3.00e-04     peak
    1625     2.6046e-04   a quarter of the way down
    2750     1.6500e-04   half way: the mean of peak and floor
    3875     6.9541e-05   three quarters
    5000     3.00e-05     floor

The cosine part lasts 4500 steps, so a quarter of it is 1125. At that point the
cosine of 45 degrees, 0.7071, enters; half of one plus that is 0.8536.

Mean rate (steps taken as continuous): 1.5e-4 during warmup and 1.65e-4 during the cosine, so over all
5000 steps (500 * 1.5e-4 + 4500 * 1.65e-4) / 5000 = 1.635e-04.
"""
import math

PEAK = 3e-4
FLOOR = 3e-5      # PEAK / 10
WARMUP = 500
TOTAL = 5000      # so 10 % of the run is warmup


def rate(step):
    """Rate at ``step``; a step past the end stays at the floor."""
    if step < WARMUP:
        # grows by 6e-7 per step
        return PEAK * step / WARMUP
    if step >= TOTAL:
        return FLOOR
    done = (step - WARMUP) / (TOTAL - WARMUP)
    # amplitude of the cosine: (3e-4 - 3e-5) / 2 = 1.35e-4
    return FLOOR + 0.5 * (PEAK - FLOOR) * (1 + math.cos(math.pi * done))


if __name__ == "__main__":
    for s in (100, 250, 500, 1625, 2750, 3875, 5000):
        print(f"{s:5d}  {rate(s):.4e}")
