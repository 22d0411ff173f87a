# How many parameters does my little GPT have, and does it fit on the old 8 GB card?
# (companion script to the post, results in the comments)

vocab, ctx = 32_000, 1024
d, layers, heads = 512, 8, 8
ff = 4 * d                          # 2048
head_dim = d // heads               # 64

# embeddings; the output head shares its weight with the token embedding
tok = vocab * d                     # 16384000
pos = ctx * d                       # 524288

# one block, everything with bias
qkv = d * 3 * d + 3 * d             # 787968
proj = d * d + d                    # 262656
attn = qkv + proj                   # 1050624
mlp = d * ff + ff + ff * d + d      # 2099712
norms = 2 * 2 * d                   # 2048
block = attn + mlp + norms          # 3152384

final_norm = 2 * d                  # 1024
total = tok + pos + layers * block + final_norm
print(total)                        # 42128384
print(round(tok / total, 3))        # 0.389
print(round(layers * block / total, 3))     # 0.599

# AdamW in float32: weight, gradient and two moments = 16 bytes per parameter
print(total * 16)                   # 674054144
print(round(total * 16 / 2**20, 1))         # 642.8 MiB

# attention scores of one layer, batch 12, float32
scores = 12 * heads * ctx * ctx
print((12, heads, ctx, ctx))        # (12, 8, 1024, 1024)
print(scores * 4 / 2**20)           # 384.0 MiB

# KV cache for one sequence, all layers, float16
kv = 2 * layers * heads * ctx * head_dim * 2
print(kv)                           # 16777216
print(kv / 2**20)                   # 16.0 MiB
