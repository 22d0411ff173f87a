#!/usr/bin/env python3
# The "Noam" schedule from 2017: linear warmup, then 1/sqrt(step) decay.
# Copyright 2020-2023 the sparrow authors, Apache-2.0

D_MODEL = 512
WARMUP = 4000          # steps; 8000 for the big model in our runs


def noam(step, d=D_MODEL, warmup=WARMUP):
    return d ** -0.5 * min(step ** -0.5, step * warmup ** -1.5)


# d ** -0.5 is 0.0442 for d = 512; the two branches meet at step 4000
print(f"{noam(1):.3e}")        # 1.747e-07
print(f"{noam(100):.3e}")      # 1.747e-05
print(f"{noam(4000):.3e}")     # 6.988e-04  <- the peak
print(f"{noam(16000):.3e}")    # 3.494e-04, half the peak: 4x the steps
print(f"{noam(100000):.3e}")   # 1.398e-04

# With gradient accumulation the step counter moves once per update:
micro_batch, accum, gpus = 16, 8, 4
seq_len = 512
sequences = micro_batch * accum * gpus      # 512
tokens = sequences * seq_len                # 262144 = 2 ** 18
print(tokens * WARMUP / 1e9)                # 1.048576, so ~1 B tokens of warmup


def cosine_lr(step, total=100_000, peak=3e-4, floor=0.1):
    """Cosine decay to 10% of the peak.

    Half way (step 50,000) the factor is 0.1 + 0.9 * 0.5 = 0.55, so the rate is
    1.65e-4; at the end it is 3e-5.
    """
    from math import cos, pi
    return peak * (floor + (1 - floor) * (1 + cos(pi * step / total)) / 2)


assert abs(cosine_lr(50_000) - 1.65e-4) < 1e-12
assert abs(cosine_lr(100_000) - 3e-5) < 1e-12
