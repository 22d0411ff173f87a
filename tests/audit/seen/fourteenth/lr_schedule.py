"""Inverse square root schedule ("Noam"), as in the 2017 paper.

    lr = d^-0.5 * min(step^-0.5, step * warmup^-1.5)

>>> round(lr(1) * 1e7, 3)
1.747
>>> round(lr(4000) * 1e4, 3)
6.988
>>> round(lr(16000) / lr(4000), 6)
0.5
>>> lr(2000) < lr(4000) > lr(6000)
True
"""

D = 512
WARMUP = 4000


def lr(step, d=D, warmup=WARMUP):
    return d ** -0.5 * min(step ** -0.5, step * warmup ** -1.5)


def table(steps):
    for s in steps:
        print(f"{s:>7,d}  {lr(s):.3e}")


# The peak is at step 4000: 512^-0.5 is about 0.0442, 4000^-0.5 about 0.0158, and
# the product is close to 7e-4 (not 1e-3, as I had remembered).
#
#   step      lr
#    1,000    1.747e-04
#    4,000    6.988e-04
#   25,000    2.795e-04
#  100,000    1.398e-04
#
# From 25,000 to 100,000 the rate halves, since sqrt(4) = 2.
# Training ran for 100,000 steps at some 0.4 s each, which was reported as 12 hours
# on 8 P100s, evaluation and all.
# For d = 1024 everything shrinks by sqrt(2), i.e. to about 71 %.

if __name__ == "__main__":
    import doctest
    doctest.testmod()
