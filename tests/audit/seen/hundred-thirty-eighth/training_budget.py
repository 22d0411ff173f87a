#!/usr/bin/env python3
"""How long will it train?  Back-of-the-envelope for a 1.3B model.

Rule of thumb: training costs 6 floating point operations per parameter and token
(2 forward, 4 backward).  And 20 tokens per parameter is a sensible diet.
"""

params = 1.3e9
tokens = 20 * params
print(f"{tokens:.2e} tokens")                # 2.60e+10 tokens

flops = 6 * params * tokens
print(f"{flops:.3e} FLOPs")                  # 2.028e+20 FLOPs

# One A100 promises 312 TFLOP/s in bf16.  I have never seen more than 40 % of it.
speed = 312e12 * 0.40
print(f"{speed:.3e} FLOP/s")                 # 1.248e+14 FLOP/s

seconds = flops / speed
print(f"{seconds:,.0f} s")                   # 1,625,000 s
hours = seconds / 3600
print(f"{hours:.1f} GPU hours")              # 451.4 GPU hours

# On a node with eight cards, assuming they scale perfectly (they do not):
n_gpus = 8
print(f"{hours / n_gpus:.1f} h wall clock")  # 112.8 h wall clock

# The bill, at 1.80 dollars per GPU hour.  It does not depend on the number of cards.
print(f"{hours * 1.80:.2f} dollars")         # 812.50 dollars

# Steps: 256 sequences of 2048 tokens in a batch.
batch = 256 * 2048
print(batch)                                 # 524288
steps = round(tokens / batch)
print(steps)                                 # 49591

# Warm-up is 2 % of them, linear up to a peak of 2e-4; halfway through warm-up:
warmup = round(0.02 * steps)
print(warmup)                                # 992
print(2e-4 * 0.5)                            # 0.0001
