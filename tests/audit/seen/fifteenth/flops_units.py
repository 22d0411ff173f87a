"""Orders of magnitude for training runs, so that I stop getting them wrong.

FLOP  = one operation; FLOPs = several; FLOP/s = a speed.
A petaFLOP/s-day is 1e15 * 86,400 operations:

>>> f"{PFS_DAY:.3g}"
'8.64e+19'
>>> f"{train(1.5e9, 40e9):.2e}"
'3.60e+20'
>>> round(train(1.5e9, 40e9) / PFS_DAY, 2)
4.17
>>> round(days(175e9, 300e9, gpus=1024, peak=312e12, mfu=0.45), 1)
25.4
"""

PFS_DAY = 1e15 * 86_400


def train(n, d):
    """6 N D."""
    return 6 * n * d


def days(n, d, gpus, peak, mfu):
    return train(n, d) / (gpus * peak * mfu) / 86_400


if __name__ == "__main__":
    # GPT-3 is quoted as 3.14e23 (Table D.1); 6ND gives
    print(f"{train(175e9, 300e9):.2e}")          # 3.15e+23
    # the same in PF/s-days; the paper has 3,640
    print(f"{train(175e9, 300e9) / PFS_DAY:,.0f}")    # 3,646
    # In 2012 AlexNet took 5 or 6 days on two GTX 580 (1.58 TFLOP/s each at
    # best), so less than 2 * 1.58e12 * 6 * 86,400:
    print(f"{2 * 1.58e12 * 6 * 86_400:.2e}")     # 1.64e+18
    # utilisation is never 1. Typical: 0.30-0.55. We got 0.38, then 0.41.
    # one A100 for a year at 0.4:
    print(f"{312e12 * 0.4 * 365 * 86_400:.2e}")  # 3.94e+21
