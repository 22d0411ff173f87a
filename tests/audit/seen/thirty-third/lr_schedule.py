# lr_schedule.py -- warmup, then cosine decay
#
# Peak 6e-4, floor 6e-5, 200 warmup steps, 2200 steps in total.
# So the cosine part is 2200 - 200 = 2000 steps long.
#
# Sanity values I checked by hand on 2023-09-02:
#   step   50:  6e-4 * 50/200  = 1.5e-4
#   step  100:  6e-4 * 100/200 = 3e-4
#   step  200:  peak, 6e-4
#   step  700:  a quarter of the way, cos(pi/4) = 0.7071
#               6e-5 + 0.5 * 5.4e-4 * 1.7071 = 5.21e-4
#   step 1200:  half way, cos(pi/2) = 0
#               6e-5 + 0.5 * 5.4e-4 * 1 = 3.3e-4
#   step 2200:  floor, 6e-5
#
# The floor is 10 % of the peak, as in the Chinchilla paper (Hoffmann et al. 2022).
# Batch of 64 sequences x 512 tokens = 32768 tokens per step, so 2200 steps see
# about 72.1 million tokens.
import math

PEAK, FLOOR = 6e-4, 6e-5
WARMUP, TOTAL = 200, 2200


def lr(step: int) -> float:
    if step < WARMUP:
        return PEAK * step / WARMUP
    if step > TOTAL:
        return FLOOR
    frac = (step - WARMUP) / (TOTAL - WARMUP)
    return FLOOR + 0.5 * (PEAK - FLOOR) * (1 + math.cos(math.pi * frac))


if __name__ == "__main__":
    for s in (50, 100, 200, 700, 1200, 2200):
        print(s, f"{lr(s):.3g}")
