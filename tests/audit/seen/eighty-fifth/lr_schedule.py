"""Linear warm-up followed by cosine decay, as used in run 0417."""
from math import cos, pi

PEAK, LOW = 3e-4, 3e-5
WARM, TOTAL = 200, 1000


def lr(t):
    if t < WARM:
        return PEAK * t / WARM
    progress = (t - WARM) / (TOTAL - WARM)
    return LOW + 0.5 * (PEAK - LOW) * (1 + cos(pi * progress))


for t in (50, 100, 200, 400, 600, 800, 1000):
    print(f"{t:5d}  {lr(t):.3e}")

# Output:
#    50  7.500e-05
#   100  1.500e-04
#   200  3.000e-04
#   400  2.605e-04
#   600  1.650e-04
#   800  6.954e-05
#  1000  3.000e-05

# Halfway through the decay, at step 200 + 800 / 2 = 600, the rate is the
# mean of both ends: (3e-4 + 3e-5) / 2 = 1.65e-4.
# Tokens seen after 1000 steps of 65,536 tokens: 65,536,000 (about 66 million).
