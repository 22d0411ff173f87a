#!/usr/bin/env python3
# kv_cache_size.py -- how big does the cache get?
#
# Example: a 24-layer model, 16 heads of size 64 (so width 16 * 64 = 1024), fp16.
#
#   numbers per token   2 * 24 * 16 * 64       = 49,152      (2 = one K and one V)
#   bytes per token     49,152 * 2             = 98,304      = 96 KiB
#   2,048 tokens        98,304 * 2,048         = 201,326,592 = 192 MiB
#   batch of 8          8 * 192 MiB            = 1,536 MiB   = 1.5 GiB
#
# With 4 KV heads rather than 16 the cache is 4 times smaller: 192 / 4 = 48 MiB
# for each sequence, 8 * 48 = 384 MiB for the batch.
#
# NOTE (2024-02-08): an earlier version of this comment forgot the V and claimed
# "96 MiB per sequence". Thanks to the reader who wrote in!

import argparse

MIB = 1024 ** 2


def cache_bytes(layers, kv_heads, head_dim, tokens, batch=1, bytes_per_number=2):
    return 2 * layers * kv_heads * head_dim * bytes_per_number * tokens * batch


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--layers", type=int, default=24)
    p.add_argument("--kv-heads", type=int, default=16)
    p.add_argument("--head-dim", type=int, default=64)
    p.add_argument("--tokens", type=int, default=2048)
    p.add_argument("--batch", type=int, default=1)
    a = p.parse_args()
    total = cache_bytes(a.layers, a.kv_heads, a.head_dim, a.tokens, a.batch)
    print(f"{total:,} bytes = {total / MIB:.1f} MiB")


if __name__ == "__main__":
    main()
