"""Shapes in multi-head attention, printed after every line.

I wrote this for the students who ask in the forum why their reshape "works" but the loss does not go down.
Run it line by line; the comment is the .shape of what was just made.
"""
import numpy as np

B, T, D, H = 2, 10, 64, 4          # batch, tokens, model size, heads
d = D // H                         # 16 numbers per head

rng = np.random.default_rng(0)
x = rng.normal(size=(B, T, D))     # (2, 10, 64)
W_q, W_k, W_v, W_o = (rng.normal(size=(D, D)) / 8 for _ in range(4))   # 8 = sqrt(64)

# split: first cut the last axis, THEN swap. Not the other way round.
q = (x @ W_q).reshape(B, T, H, d)  # (2, 10, 4, 16)
q = q.transpose(0, 2, 1, 3)        # (2, 4, 10, 16)
k = (x @ W_k).reshape(B, T, H, d).transpose(0, 2, 1, 3)   # (2, 4, 10, 16)
v = (x @ W_v).reshape(B, T, H, d).transpose(0, 2, 1, 3)   # (2, 4, 10, 16)

kt = k.transpose(0, 1, 3, 2)       # (2, 4, 16, 10)
scores = q @ kt / np.sqrt(d)       # (2, 4, 10, 10), and sqrt(16) = 4

# causal mask: position i may not look at j > i
mask = np.triu(np.ones((T, T)), k=1)
print(int(mask.sum()))             # 45 forbidden pairs = 10 * 9 / 2
scores = np.where(mask == 1, -np.inf, scores)

a = np.exp(scores - scores.max(-1, keepdims=True))
a = a / a.sum(-1, keepdims=True)   # (2, 4, 10, 10)
print(a.size)                      # 800 attention weights

ctx = a @ v                        # (2, 4, 10, 16)
ctx = ctx.transpose(0, 2, 1, 3)    # (2, 10, 4, 16)
out = ctx.reshape(B, T, -1)        # (2, 10, 16)
y = out @ W_o                      # (2, 10, 64), same as x

print(sum(W.size for W in (W_q, W_k, W_v, W_o)))   # 16384 weights, no biases
