"""Linear warm-up, then cosine decay.  Used for run 17b (2023-06-12).

peak 6e-4, floor 6e-5 (a tenth), warm-up 500 steps, 10,000 steps in all.
With 512 sequences of 1024 tokens a step sees 524,288 tokens, so the whole
run sees about 5.24 billion.
"""
import math

PEAK, FLOOR, WARM, STEPS = 6e-4, 6e-5, 500, 10_000


def lr(step):
    if step < WARM:
        return PEAK * (step + 1) / WARM
    t = (step - WARM) / (STEPS - WARM)
    return FLOOR + 0.5 * (PEAK - FLOOR) * (1 + math.cos(math.pi * t))


# the ramp: one five-hundredth of the peak is 1.2e-6
print(f"{lr(0):.2e}")        # 1.20e-06
print(f"{lr(249):.2e}")      # 3.00e-04   (half way up)
print(f"{lr(499):.2e}")      # 6.00e-04
print(f"{lr(500):.2e}")      # 6.00e-04   (t = 0, the cosine starts)

# the middle of the cosine is at 500 + 9500/2 = 5250 and there the rate is
# the mean of peak and floor, (6e-4 + 6e-5)/2 = 3.3e-4
print(f"{lr(5250):.2e}")     # 3.30e-04

print(f"{lr(9999):.2e}")     # 6.00e-05   (not below the floor)

# My first version divided by STEPS instead of STEPS - WARM and ended at
# about 6.3e-05.  That is the wrong number in the plot on page 3 of the
# slides; don't copy it.

# For comparison, losses at the end of three runs: 3.142 (this one), 3.151
# (constant 3e-4), 3.29 (no warm-up, diverged once at step 212 and came
# back).  Seeds 0, 1, 2.  GPT-3's smallest model also used 6e-4.

tokens = 512 * 1024 * STEPS
print(f"{tokens:,}")         # 5,242,880,000
print(tokens // 10**9)       # 5
