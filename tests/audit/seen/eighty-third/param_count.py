def block_params(d, ff):
    """Number of weights of one decoder block (no biases).

    Attention has four d x d matrices, the MLP has d x ff and ff x d,
    and the two RMSNorm layers have d gains each.

    >>> block_params(512, 2048)
    3146752
    >>> block_params(64, 256)
    49280
    """
    return 4 * d * d + 2 * d * ff + 2 * d


def total_params(vocab, d, ff, layers):
    """Embedding (tied with the output), the blocks and a final norm."""
    return vocab * d + layers * block_params(d, ff) + d


# Config "mini-v2" (see configs/mini-v2.yaml, changed on 3 May 2024)
vocab, d, ff, layers = 32000, 512, 2048, 8

print(vocab * d)                  # 16384000
print(4 * d * d)                  # 1048576
print(2 * d * ff)                 # 2097152
n = total_params(vocab, d, ff, layers)
print(f"{n:,}")                   # 41,558,528
print(f"{n * 2 / 1e6:.1f} MB")    # 83.1 MB in bf16
print(f"{vocab * d / n:.1%}")     # 39.4% of it is the embedding

# Adam keeps two float32 moments per weight, so 8 bytes more:
print(f"{n * 8 / 1e6:.1f} MB")    # 332.5 MB
