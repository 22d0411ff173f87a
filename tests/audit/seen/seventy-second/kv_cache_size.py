"""KV cache arithmetic for the capacity page."""

layers, kv_heads, head_dim, bytes_per = 24, 4, 96, 2

per_token = 2 * layers * kv_heads * head_dim * bytes_per
print(per_token)                    # 36864
print(per_token / 1024)             # 36.0   KiB

ctx = 8192
total = per_token * ctx
print(total)                        # 301989888
print(total / 2**20)                # 288.0  MiB

# how many such sequences fit into 6 GiB?
print(6 * 2**30 // total)           # 21
print(6 * 1024 - 21 * 288)          # 96     MiB left over
