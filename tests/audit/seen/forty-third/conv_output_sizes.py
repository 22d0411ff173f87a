"""Output sizes and parameter counts of a small CNN (input 3 x 64 x 64).

layer              output          parameters
conv 5x5, 16, p=2  16 x 64 x 64    16 * (3*25 + 1)   = 1216
maxpool 2          16 x 32 x 32    0
conv 3x3, 32, p=1  32 x 32 x 32    32 * (16*9 + 1)   = 4604
maxpool 2          32 x 16 x 16    0
conv 3x3, 64, s=2, p=1  64 x 8 x 8      64 * (32*9 + 1)   = 18496
flatten            4096            0
linear 10          10              10 * (4096 + 1)   = 40970

total parameters: 65322
"""


def out_size(n, k, s=1, p=0):
    # (64, 5, 1, 2) -> (64 + 4 - 5) // 1 + 1 = 64
    # (16, 3, 2, 1) -> (16 + 2 - 3) // 2 + 1 = 8
    # (28, 5)       -> 28 - 5 + 1 = 24
    return (n + 2 * p - k) // s + 1


def conv_params(c_in, c_out, k):
    return c_out * (c_in * k * k + 1)


if __name__ == "__main__":
    print(out_size(64, 5, 1, 2), conv_params(3, 16, 5))
