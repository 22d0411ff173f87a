"""Counting parameters and multiply-adds of convolutions.

Nothing to install. Run it with ``python conv_params.py`` or read the comments, which
give what each line returns.

A k x k convolution from c_in to c_out channels has c_in*k*k*c_out weights, plus c_out
biases if it has any. A depthwise separable one does the k x k part on each channel
on its own, then mixes with a 1 x 1. From 32 to 64 channels with k = 3 and no bias:

    plain       18,432
    separable   288 + 2,048 = 2,336     (7.9 times fewer)

The general ratio is 1/c_out + 1/k**2, here 0.0156 + 0.1111 = 0.1267.
"""


def conv(c_in, c_out, k, bias=True):
    return c_in * k * k * c_out + (c_out if bias else 0)


def separable(c_in, c_out, k):
    return c_in * k * k + c_in * c_out


def out_size(n, k, stride=1, pad=0):
    return (n + 2 * pad - k) // stride + 1


def main():
    # the stem of our student model
    a = conv(3, 16, 3)        # 448
    b = conv(16, 48, 3)       # 4,640
    c = conv(48, 64, 3)       # 27,712
    print(a + b + c)          # 35,120

    # sizes: 112 -> 56 -> 28 -> 26
    n = out_size(112, 3, stride=2, pad=1)   # 56
    n = out_size(n, 3, stride=2, pad=1)     # 28
    n = out_size(n, 3)                      # 26

    # multiply-adds of the last one, per picture: 26*26 positions
    print(n * n * conv(48, 64, 3, bias=False))      # 18,690,048, so 18.7 M

    # the same with a separable layer
    print(separable(48, 64, 3))                     # 3,504
    print(n * n * separable(48, 64, 3))             # 2,368,704


if __name__ == "__main__":
    main()
