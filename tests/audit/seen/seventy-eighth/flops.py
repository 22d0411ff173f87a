# flops.py -- how long will it take?   (quick & dirty)

def train_flops(n, d):
    """6 n d.

    >>> train_flops(350_000_000, 7_000_000_000)    # 6 * 0.35e9 * 7e9
    17400000000000000000
    """
    return 6 * n * d


def infer_flops(n, tokens):
    """2 n per token.

    >>> infer_flops(350_000_000, 1000)
    700000000000
    """
    return 2 * n * tokens


def hours(flops, devices, tflops, mfu):
    """
    >>> round(hours(14.7e18, 8, 312, 0.45), 2)
    3.64
    """
    return flops / (devices * tflops * 1e12 * mfu) / 3600


# the sustained rate of 8 devices: 8 * 312 * 0.45 = 1123.2 TFLOP/s
# 14.7e18 / 1123.2e12 = 13088 s, / 60 = 218 min
# with one device 8 * 3.64 = 29.12 h; at 1.80 per hour that is 52.42
# answering 1000 tokens: 7e11 / (312e12 * 0.45) = 7e11 / 140.4e12 = 4.99 ms (compute only)

if __name__ == "__main__":
    f = train_flops(350_000_000, 7_000_000_000)
    print(f"{f:.2e} FLOPs, {hours(f, 8, 312, 0.45):.2f} h on 8 devices")
    # prints: 1.47e+19 FLOPs, 3.64 h on 8 devices
