"""Warmup + cosine decay, the schedule used for the 40M model in the blog post.

Every comment behind a print is what I got on my machine.
"""
import math

PEAK = 6e-4
FLOOR = 6e-5
WARMUP = 500
TOTAL = 5000


def lr(step):
    if step < WARMUP:
        return PEAK * (step + 1) / WARMUP
    if step >= TOTAL:
        return FLOOR
    t = (step - WARMUP) / (TOTAL - WARMUP)
    return FLOOR + 0.5 * (PEAK - FLOOR) * (1 + math.cos(math.pi * t))


# going up
print(f"{lr(0):.3e}")       # 1.200e-06
print(f"{lr(99):.3e}")      # 1.200e-04
print(f"{lr(249):.3e}")     # 3.000e-04
print(f"{lr(499):.3e}")     # 6.000e-04

# going down: a quarter, half, three quarters of the way
print(f"{lr(1625):.3e}")    # 5.209e-04
print(f"{lr(2750):.3e}")    # 3.300e-04
print(f"{lr(3875):.3e}")    # 1.950e-04
print(f"{lr(5000):.3e}")    # 6.000e-05

# how much data is that? micro batch 8, context 1024, 4 accumulation steps, 2 GPUs
tokens_per_step = 8 * 1024 * 4 * 2
print(tokens_per_step)              # 65536
print(tokens_per_step * TOTAL)      # 327680000
print(tokens_per_step * WARMUP / 1e6)   # 32.768 million tokens of warmup
print(WARMUP / TOTAL)               # 0.1
