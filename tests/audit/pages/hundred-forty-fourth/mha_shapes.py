# Multi-head self-attention in numpy, with the shape after every line.
# I always get lost in the transposes, so: B = batch, T = tokens, D = width, H = heads.
import numpy as np

rng = np.random.default_rng(0)
B, T, D, H = 4, 12, 96, 6
Dh = D // H                               # 16

x = rng.normal(size=(B, T, D))            # (4, 12, 96)
W_qkv = rng.normal(size=(D, 3 * D))       # (96, 288)
W_o = rng.normal(size=(D, D))             # (96, 96)

qkv = x @ W_qkv                           # (4, 12, 288)
q, k, v = np.split(qkv, 3, axis=-1)       # each (4, 12, 96)

# split the width into heads, then bring the heads in front of the tokens
q = q.reshape(B, T, H, Dh)                # (4, 12, 6, 16)
q = q.transpose(0, 2, 1, 3)               # (4, 6, 12, 16)
k = k.reshape(B, T, H, Dh).transpose(0, 2, 1, 3)
v = v.reshape(B, T, H, Dh).transpose(0, 2, 1, 3)

# last two axes: (12, 16) @ (16, 12)
scores = q @ k.transpose(0, 1, 3, 2)      # (4, 6, 12, 16)
scores = scores / np.sqrt(Dh)             # sqrt(16) = 4.0

mask = np.triu(np.ones((T, T)), k=1)      # ones above the diagonal
print(int(mask.sum()))                    # 66 of the 144 pairs are hidden, 12*11/2
scores = np.where(mask == 1, -np.inf, scores)

w = np.exp(scores - scores.max(-1, keepdims=True))
w = w / w.sum(-1, keepdims=True)          # same shape as scores
print(w.size)                             # 3456 attention weights in the batch

out = w @ v                               # (4, 6, 12, 16)
out = out.transpose(0, 2, 1, 3).reshape(B, T, D)
out = out @ W_o
print(out.shape)                          # (4, 12, 96)

# weights in the layer: 96*288 + 96*96
print(W_qkv.size + W_o.size)              # 36864
