"""Where do GPT-2 small's 124M parameters live?  (sanity check for the model registry)"""
d, d_ff, layers = 768, 3072, 12
vocab, ctx = 50257, 1024

attn = 4 * (d * d + d)              # 2362368   q, k, v, out with biases
ffn = d * d_ff + d_ff + d_ff * d + d  # 4722432
norms = 2 * (2 * d)                 # 3072
block = attn + ffn + norms          # 7087872
stack = layers * block              # 85054464

tok_emb = vocab * d                 # 38597376
pos_emb = ctx * d                   # 768432
final_norm = 2 * d                  # 1536

total = stack + tok_emb + pos_emb + final_norm
print(f"{total:,}")                 # 124,439,808
print(round(100 * tok_emb / total, 1), "% in the token table")  # 31.0 % in the token table
