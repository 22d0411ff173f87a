"""Exponential moving averages of weights.

    ema = decay * ema + (1 - decay) * w

>>> trace(0.9, 4)
[0.1, 0.19, 0.271, 0.3439]
>>> round(half_life(0.9), 2)
6.58
>>> round(half_life(0.999), 1)
629.8
>>> round(half_life(0.9999))
6931
"""
import math


def trace(decay, steps, w=1.0):
    """EMA of a constant w, started at 0."""
    e, out = 0.0, []
    for _ in range(steps):
        e = decay * e + (1 - decay) * w
        out.append(round(e, 6))
    return out


def half_life(decay):
    """Steps until an old value has half its weight."""
    return math.log(0.5) / math.log(decay)


# After n steps the EMA of a constant 1 is 1 - decay^n, so with bias
# correction one divides by that: 0.3439 / (1 - 0.9^4) = 1.
#
# decay     horizon 1/(1-decay)    half-life
# 0.9            10                  6.6
# 0.99          100                 69.0
# 0.995         200                138.3
#
# Rule of thumb: half-life is about 0.69 times the horizon, since ln 2 = 0.6931.
# A second copy of a 1.3B model in fp32 costs 1.3e9 * 4 bytes = 5.2 GB.

if __name__ == "__main__":
    print(trace(0.9, 4))
