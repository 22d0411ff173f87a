"""Step decay, checked against the table in my notes (rev. 3, 2022-10-08).

Requires Python >= 3.8. Nothing else is needed.
"""

BASE = 0.1
DROP = 0.5
EVERY = 10


def rate(epoch):
    return BASE * DROP ** (epoch // EVERY)


# epoch 0 to 9     0.1
# epoch 10 to 19   0.05
# epoch 20 to 29   0.025
# epoch 30 to 39   0.0125
for e in (0, 9, 10, 25, 39):
    print(e, rate(e))

# rate(25) == 0.025, and rate(39) == 0.0125
assert rate(39) == 0.0125

# How many epochs until we fall below 0.001? Seven halvings:
# 0.1 / 128 = 0.00078125, while six give 0.1 / 64 = 0.0015625.
n = 0
while rate(n) >= 0.001:
    n += 1
print(n)          # 70

# I had guessed 60. The off-by-one came from counting 0.1 as a halving.
# With 391 steps per epoch (50,000 images, batch 128, rounded up) that is
print(n * 391)    # 27370
# A run took about 18 s per epoch on the GTX 1080, so some 21 minutes.
