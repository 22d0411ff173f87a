"""Linear warmup, then linear decay.

>>> lr(0)
0.0
>>> lr(50)
0.5
>>> lr(100)
1.0
>>> lr(325)
0.25
>>> lr(550)
0.5
>>> lr(1000)
0.0
"""

WARMUP = 100
TOTAL = 1000


def lr(step, peak=1.0):
    if step < WARMUP:
        return peak * step / WARMUP
    # 1000 - 100 = 900 steps of decay
    return peak * (TOTAL - step) / (TOTAL - WARMUP)


def mean_lr():
    # triangle: half of the peak on average, 0.5 * 1.0 = 0.5
    return sum(lr(s) for s in range(TOTAL)) / TOTAL


if __name__ == "__main__":
    print(lr(25))   # 0.25
    print(lr(775))  # 0.25
