"""Lesson 11: follow the shapes through multi-head self-attention.

Cover the comments on the right with a sheet of paper, predict each shape, then look.
2 sentences, 6 tokens each, model width 24, 3 heads.
"""
import numpy as np

rng = np.random.default_rng(0)
batch, tokens, width, heads = 2, 6, 24, 3
head_width = width // heads
print(head_width)                    # 8

x = rng.normal(size=(batch, tokens, width))
Wq, Wk, Wv, Wo = (rng.normal(size=(width, width)) for _ in range(4))

# One big matrix product for all heads; then cut the last axis into heads.
q = x @ Wq
print(q.shape)                       # (2, 6, 24)
q = q.reshape(batch, tokens, heads, head_width)
print(q.shape)                       # (2, 6, 3, 8)
# The heads must come before the tokens, or the heads would be mixed.
q = q.transpose(0, 2, 1, 3)
print(q.shape)                       # (2, 3, 6, 8)
k = (x @ Wk).reshape(batch, tokens, heads, head_width).transpose(0, 2, 1, 3)
v = (x @ Wv).reshape(batch, tokens, heads, head_width).transpose(0, 2, 1, 3)

# Every token looks at every token, in each head.
scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(head_width)
print(scores.shape)                  # (2, 3, 6, 6)
print(scores.size)                   # 216

weights = np.exp(scores - scores.max(-1, keepdims=True))
weights = weights / weights.sum(-1, keepdims=True)
print(weights.sum())                 # 36.0     (each row sums to 1: 2 * 3 * 6 rows)

mixed = weights @ v
print(mixed.shape)                   # (2, 3, 6, 24)
joined = mixed.transpose(0, 2, 1, 3).reshape(batch, tokens, width)
print(joined.shape)                  # (2, 6, 24)
print((joined @ Wo).shape)           # (2, 6, 24), the same as at the start
