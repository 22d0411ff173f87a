"""How big is the KV cache?  (for the wiki page, section 4)

A model with grouped-query attention: 32 layers, 32 query heads but only 8
key/value heads, head size 128, cache in bf16.
"""

LAYERS, Q_HEADS, KV_HEADS, HEAD = 32, 32, 8, 128
BYTES = 2
GiB = 2 ** 30


def per_token(kv_heads=KV_HEADS):
    # keys and values, hence the leading 2
    return 2 * LAYERS * kv_heads * HEAD * BYTES


def cache(tokens, batch=1, **kw):
    return tokens * batch * per_token(**kw)


print(per_token())                    # -> 131072   (128 KiB)
print(cache(4096) / GiB)              # -> 0.5
print(cache(32768) / GiB)             # -> 8.0
print(cache(8192, batch=16) / GiB)    # -> 16.0

# Without grouping, all 32 heads would keep their own keys and values:
print(per_token(kv_heads=32))                 # -> 524288
print(cache(4096, kv_heads=32) / GiB)         # -> 2.0

# The saving is the ratio of the heads:
print(Q_HEADS // KV_HEADS)            # -> 4

# The weights take 8.03e9 * 2 bytes = 16.06 GB = 14.96 GiB, so on a 24 GiB card
# about 9.0 GiB are left, minus what the framework takes (we saw 0.9).
free = 8 * GiB
print(free // per_token())            # -> 65536   tokens fit in 8 GiB
