def lora(n, m, r):
    """Trainable weights of a rank-r update of an n x m matrix.

    >>> lora(4096, 4096, 8)
    65536
    >>> lora(4096, 11008, 16)
    241664
    """
    return r * (n + m)


full = 4096 * 4096           # 16_777_216
low = lora(4096, 4096, 8)    # 8 * (4096 + 4096) = 65_536
ratio = full / low           # 256.0
share = 100 * low / full     # 0.390625 (percent)

# 32 layers, q and v adapted in each:
adapted = 32 * 2 * low       # 64 * 65536 = 4_194_304
megabytes = adapted * 4 / 2**20   # 16.0 MiB in float32

assert (full, low, adapted) == (16_777_216, 65_536, 4_194_304)
