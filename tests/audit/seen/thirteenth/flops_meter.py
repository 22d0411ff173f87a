"""Rough operation counts for dense models."""

LAYERS = 16
WIDTH = 1536
HEADS = 12              # head size 1536 / 12 = 128
HIDDEN = 6144           # 4 * 1536


def matmul(m, k, n):
    """Multiplications and additions of an (m, k) by (k, n) product.

    >>> matmul(2, 3, 4)
    48
    >>> matmul(128, 1536, 1536)
    603979776
    """
    return 2 * m * k * n


def block_weights(d=WIDTH, hidden=HIDDEN):
    """Weights of one block without biases and norms.

    >>> block_weights()
    28311552
    >>> block_weights(256, 1024)
    786432
    """
    return 4 * d * d + 2 * d * hidden


def training(params, tokens):
    """
    >>> f"{training(4.5e8, 9e9):.2e}"
    '2.43e+19'
    """
    return 6 * params * tokens


if __name__ == "__main__":
    print(LAYERS * block_weights())                         # -> 452984382
    print(round(training(4.5e8, 9e9) / 1e14 / 3600, 1))     # -> 67.5
    print(matmul(1, WIDTH, HIDDEN) // 10 ** 6, "M")         # -> 18 M
