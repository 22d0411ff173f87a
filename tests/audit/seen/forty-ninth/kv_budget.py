"""How many tokens fit into the KV cache?

>>> bytes_per_token(40, 10, 128)
204800
>>> max_tokens(8, 40, 10, 128)
41943
"""

GIB = 1024 ** 3  # 1073741824 bytes


def bytes_per_token(layers, kv_heads, head_dim, width=2):
    """Keys and values: 2 * 40 * 10 * 128 * 2 = 204800 for our model."""
    return 2 * layers * kv_heads * head_dim * width


def max_tokens(gib, layers, kv_heads, head_dim):
    # 8 GiB = 8589934592 bytes; divided by 204800 that is 41943.04
    return gib * GIB // bytes_per_token(layers, kv_heads, head_dim)


if __name__ == "__main__":
    import doctest
    doctest.testmod()
