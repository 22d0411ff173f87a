"""The 'Noam' schedule from Attention Is All You Need, for our small config.

lr = d ** -0.5 * min(step ** -0.5, step * warmup ** -1.5)
"""
d, warmup = 256, 4000

scale = d ** -0.5                 # 1 / 16 = 0.0625
slope = warmup ** -1.5            # 3.9528e-06


def lr(step):
    return scale * min(step ** -0.5, step * slope)


print(lr(1))                      # 2.471e-07
print(lr(1000))                   # 2.471e-04
print(lr(2000))                   # 4.941e-04
print(lr(4000))                   # 9.882e-04  <- peak
print(lr(8000))                   # 6.988e-04
print(lr(16000))                  # 4.941e-04
print(lr(100_000))                # 1.976e-04

# Four times the steps after the peak = half the rate:
print(lr(16000) / lr(4000))       # 0.5

# When are we back down at the rate of step 1000?  1/sqrt(s) = 1000 * slope
s = (1000 * slope) ** -2
print(round(s))                   # 64000

# batch bookkeeping: 32 sequences x 512 tokens, 100k steps
tokens = 32 * 512 * 100_000
print(tokens)                     # 1638400000
print(tokens / 1e9)               # 1.64 (billions)
print(tokens / (32 * 512) / 4000) # 25.0, so warmup is 4% of the run
