# Learning-rate schedule: linear warm-up, then cosine decay to a floor.
#
# The defaults are those of run 41 (Nov 2023):
PEAK = 3e-4
FLOOR = 3e-5          # a tenth of the peak
WARMUP = 1_000
TOTAL = 10_000        # so 9,000 steps of decay

import math


def lr(step):
    # warm-up.  Example: step 200 -> 3e-4 * 200/1000 = 6e-5
    if step < WARMUP:
        return PEAK * step / WARMUP
    # progress through the decay.  Example: step 3,250 -> 2250/9000 = 0.25
    t = (step - WARMUP) / (TOTAL - WARMUP)
    # cos(pi * 0.25) = 0.7071, so the factor is 0.5 * (1 + 0.7071) = 0.8536
    # and lr = 3e-5 + 2.7e-4 * 0.8536 = 2.605e-4
    return FLOOR + (PEAK - FLOOR) * 0.5 * (1 + math.cos(math.pi * t))


# step     progress   lr
# 1,000    0.00       3.000e-4
# 3,250    0.25       2.605e-4
# 5,500    0.50       1.650e-4     (half-way between peak and floor)
# 7,750    0.75       6.954e-5
# 10,000   1.00       3.000e-5
#
# With a batch of 32 sequences of 512 tokens a step sees 32 * 512 = 16,384 tokens,
# the warm-up about 16.4 million and the full run 163.84 million.
#
# History: PEAK was 1e-3 until run 37, which blew up at step 1,412 or thereabouts.
# Halving to 5e-4 was stable on 2 of 3 seeds. 3e-4 has never failed so far.

if __name__ == "__main__":
    for s in (200, 1000, 3250, 5500, 7750, 10000):
        print(s, f"{lr(s):.3e}")
