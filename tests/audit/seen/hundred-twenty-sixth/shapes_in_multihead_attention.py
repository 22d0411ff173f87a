"""Shapes in multi-head attention.

My students lose more time over shapes than over anything else. Run this file line by
line, cover the comment, and say the shape aloud before you look.
"""
import numpy as np

rng = np.random.default_rng(0)
batch, length, width, heads = 2, 6, 32, 4
head_width = width // heads
print(head_width)             # 8

x = rng.normal(size=(batch, length, width))
print(x.shape, x.size)        # (2, 6, 32) 384

# One matrix makes queries, keys and values at the same time.
w = rng.normal(size=(width, 3 * width))
qkv = x @ w
print(w.size)                 # 3072
print(qkv.shape)              # (2, 6, 96)

q, k, v = np.split(qkv, 3, axis=-1)
print(q.shape)                # (2, 6, 32)


def split_heads(t):
    """(batch, length, width) -> (batch, heads, length, head_width)"""
    return t.reshape(batch, length, heads, head_width).transpose(0, 2, 1, 3)


q, k, v = split_heads(q), split_heads(k), split_heads(v)
print(k.shape)                # (2, 4, 6, 8)

# Every query meets every key, once in each head.
scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(head_width)
print(scores.shape)           # (2, 4, 6, 8)

weights = np.exp(scores)
weights = weights / weights.sum(axis=-1, keepdims=True)
out = weights @ v
print(out.shape)              # (2, 4, 6, 8)

# Put the heads side by side again.
out = out.transpose(0, 2, 1, 3).reshape(batch, length, width)
print(out.shape)              # (2, 6, 32)
