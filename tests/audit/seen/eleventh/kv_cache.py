"""Size of the key/value cache.

A 13B-class model: 40 layers, 40 heads of 128, fp16. One token needs
2 * 40 * 40 * 128 * 2 = 819,200 bytes (800 KiB); 2,048 tokens
need 1.65 GiB.
"""


def bytes_per_token(layers, kv_heads, head_dim, itemsize=2):
    return 2 * layers * kv_heads * head_dim * itemsize


def cache_bytes(tokens, **kw):
    return tokens * bytes_per_token(**kw)


big = dict(layers=40, kv_heads=40, head_dim=128)
gqa = dict(layers=40, kv_heads=8, head_dim=128)

assert bytes_per_token(**big) == 819_200
assert bytes_per_token(**gqa) == 136_840
print(cache_bytes(2048, **big) // 2**20)     # 1600 MiB
print(cache_bytes(2048, **gqa) // 2**20)     # 320 MiB
print(bytes_per_token(**big) / bytes_per_token(**gqa))   # 5.0

# eight-bit cache: half of it
print(cache_bytes(2048, itemsize=1, **gqa) // 2**20)     # 160 MiB
