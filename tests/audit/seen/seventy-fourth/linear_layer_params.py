"""Parameter counts of a small encoder block (no dropout, biases on)."""

d_model = 384
d_ff = 1536

def linear(n_in, n_out):
    return n_in * n_out + n_out

attn = 4 * linear(d_model, d_model)
print(attn)          # 591360

mlp = linear(d_model, d_ff) + linear(d_ff, d_model)
print(mlp)           # 1181658

norms = 2 * 2 * d_model
print(norms)         # 1536

print(attn + mlp + norms)   # 1774464
