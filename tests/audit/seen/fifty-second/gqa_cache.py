"""Size of the attention cache for grouped-query attention."""

N_LAYERS = 40
N_HEADS = 40
N_KV_HEADS = 10      # 4 query heads share one key/value head
HEAD_DIM = 128       # d_model = 40 * 128 = 5120
BYTES = 2            # bf16


def cache_bytes(tokens, kv_heads=N_KV_HEADS):
    """Bytes for keys and values.

    Per token: 2 * 40 * 10 * 128 * 2 = 102,400 bytes (200 KiB).
    For 4,096 tokens: 838,860,800 bytes, which is 800 MiB.
    """
    return 2 * N_LAYERS * kv_heads * HEAD_DIM * BYTES * tokens


# With one key/value head per query head everything is 4 times as large:
# 800 KiB per token, and 3,200 MiB for 4,096 tokens.
# A card with 24 GiB that holds 14 GiB of weights has 10 GiB left for the cache;
# at 200 KiB per token this is room for 52,428 tokens,
# i.e. 12 full sequences of 4,096 (49,152 tokens).

if __name__ == "__main__":
    print(cache_bytes(4096))
