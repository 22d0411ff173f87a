import torch
import torch.nn as nn

# Encoder-decoder toy; I annotate every line because cross attention confused me.
B, S, T = 2, 7, 5          # batch, source length, target length
d_model, n_heads = 32, 4
d_head = d_model // n_heads                      # 8
vocab = 100

emb = nn.Embedding(vocab, d_model)               # 100 * 32 = 3200 weights
src = torch.zeros(B, S, dtype=torch.long)
tgt = torch.zeros(B, T, dtype=torch.long)

memory = emb(src)                                # (2, 7, 32)
x = emb(tgt)                                     # (2, 5, 32)

wq = nn.Linear(d_model, d_model)                 # 32 * 32 + 32 = 1056 parameters
wkv = nn.Linear(d_model, 2 * d_model)            # 32 * 64 + 64 = 2112 parameters

q = wq(x)                                        # (2, 5, 32)
k, v = wkv(memory).chunk(2, dim=-1)              # (2, 7, 32) each

q = q.view(B, T, n_heads, d_head).transpose(1, 2)    # (2, 4, 5, 8)
k = k.view(B, S, n_heads, d_head).transpose(1, 2)    # (2, 4, 7, 8)
v = v.view(B, S, n_heads, d_head).transpose(1, 2)    # (2, 4, 7, 8)

scores = q @ k.transpose(-2, -1) / d_head ** 0.5     # (2, 4, 7, 5)
attn = scores.softmax(dim=-1)                        # (2, 4, 5, 7)
ctx = attn @ v                                       # (2, 4, 5, 8)
ctx = ctx.transpose(1, 2).reshape(B, T, d_model)     # (2, 5, 32)

up = nn.Linear(d_model, 4 * d_model)             # 32 * 128 + 128 = 4224
down = nn.Linear(4 * d_model, d_model)           # 128 * 32 + 32 = 4128
h = down(torch.relu(up(ctx)))                    # (2, 5, 32)

logits = h @ emb.weight.T                        # (2, 5, 100)
flat = logits.reshape(-1, vocab)                 # (10, 100)
# all parameters: 3200 + 1056 + 2112 + 4224 + 4128 = 14720
