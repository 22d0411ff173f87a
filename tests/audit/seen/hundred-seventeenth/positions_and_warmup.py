"""Demo for lecture 7: positions and the warm-up schedule.

Run it with  python positions_and_warmup.py  -- the comments show what you should see.
"""
import math

D = 8          # model width
PEAK = 6e-4    # highest learning rate
WARM, TOTAL = 200, 2000


def encode(pos, d=D):
    """Sine on the even places, cosine on the odd ones."""
    out = []
    for i in range(0, d, 2):
        angle = pos / 10000 ** (i / d)
        out += [math.sin(angle), math.cos(angle)]
    return out


def rate(step):
    """Linear warm-up, then half a cosine down to zero."""
    if step < WARM:
        return PEAK * step / WARM
    done = (step - WARM) / (TOTAL - WARM)
    return 0.5 * PEAK * (1 + math.cos(math.pi * done))


p = encode(3)
print(len(p))                               # 8
print([round(x, 3) for x in p[:4]])         # [0.141, -0.99, 0.296, 0.955]
print([round(x, 3) for x in p[4:]])         # [0.03, 1.0, 0.003, 1.0]
print(round(sum(x * x for x in p), 6))      # 4.0  (four times sin^2 + cos^2)
print(round(sum(a * b for a, b in zip(encode(5), encode(2))), 3))   # 1.965
print(round(sum(a * b for a, b in zip(encode(9), encode(6))), 3))   # the same: both are 3 apart

print(f"{rate(50):.2e}")                    # 1.50e-04
print(f"{rate(200):.2e}")                   # 6.00e-04
print(f"{rate(650):.2e}")                   # 4.50e-04
print(f"{rate(1100):.2e}")                  # 3.00e-04
print(f"{rate(2000):.2e}")                  # 0.00e+00
