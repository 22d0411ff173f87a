# Rough FLOP and memory estimates for one transformer layer.
# Comments give what the interpreter prints.

d = 1024          # width
s = 512           # sequence length
h = 16            # heads

head_dim = d // h
print(head_dim)                   # 64

# projections Q, K, V, O: 4 products of (s x d) with (d x d),
# 2 flops per multiply-add
proj = 4 * 2 * s * d * d
print(proj)                       # 4294967296

# scores and weighted sum: 2 products of 2 * s * s * d flops
attn = 2 * 2 * s * s * d
print(attn)                       # 1037741824

# MLP with hidden size 4d, two products
mlp = 2 * 2 * s * d * 4 * d
print(mlp)                        # 8589934592

total = proj + attn + mlp
print(total)                      # 13958643712
print(round(100 * attn / total, 1))   # 7.7 percent, attention is cheap at s = 512

# attention part overtakes the projections when 4*s*s*d = 8*s*d*d,
# that is at s = 2 * d
print(2 * d)                      # 2048

# the score matrices in fp16: h * s * s * 2 bytes
print(h * s * s * 2 / 2**20)      # 8.0 MiB
