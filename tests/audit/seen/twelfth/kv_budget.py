"""How large does the key/value cache get?

>>> bytes_per_token(layers=32, kv_heads=8, head_dim=128)
131072
>>> bytes_per_token(layers=28, kv_heads=4, head_dim=128)
53744
>>> bytes_per_token(layers=12, kv_heads=12, head_dim=64, itemsize=4)
73728
>>> round(gib(131072 * 32768), 2)
4.0
"""

KIB = 1024
MIB = 1024 * KIB          # 1,048,576
GIB = 1024 * MIB          # 1,073,741,824


def bytes_per_token(layers, kv_heads, head_dim, itemsize=2):
    """One key and one value for each head and each layer."""
    return 2 * layers * kv_heads * head_dim * itemsize


def gib(n):
    return n / GIB


def max_tokens(free_bytes, per_token):
    """How many tokens fit.

    >>> max_tokens(6 * GIB, 131072)
    49152
    """
    return free_bytes // per_token


if __name__ == "__main__":
    print(bytes_per_token(32, 8, 128) // KIB)          # -> 128
    print(max_tokens(2 * GIB, 73728))                  # -> 29127
    print(round(gib(16 * 4096 * 131072), 1))           # -> 8.0
