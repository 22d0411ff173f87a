"""How big is the KV cache?

For 32 layers, 32 heads of 128 and fp16 a token needs
2 * 32 * 32 * 128 * 2 bytes = 524,288 bytes = 512 KiB, so 4,096 tokens
need 2 GiB. With 8 KV heads (grouped queries) it is 128 KiB and 0.5 GiB.
"""


def kv_bytes(layers, kv_heads, d_head, tokens, width=2):
    return 2 * layers * kv_heads * d_head * tokens * width


print(kv_bytes(32, 32, 128, 1))  # 524288
print(kv_bytes(32, 32, 128, 4096) / 2**30)  # 2.0
print(kv_bytes(32, 8, 128, 4096) / 2**30)  # 0.5
print(kv_bytes(80, 8, 128, 1) // 1024)  # 320

layers = 12  # now the small one; 12 heads of 64, so d = 768
print(kv_bytes(layers, 12, 64, 1024) / 1e6)  # 37.748736
# roughly 38 MB, or 36 MiB
