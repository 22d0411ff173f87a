"""Multi-head attention, every shape written down.  (handout, session 5)"""
import numpy as np

rng = np.random.default_rng(0)
B, T, D, H = 2, 10, 384, 6        # batch, tokens, model width, heads
dk = D // H                       # 64

x = rng.normal(size=(B, T, D))
Wqkv = rng.normal(size=(D, 3 * D)) * 0.02   # (384, 1152), 442_368 numbers
Wo = rng.normal(size=(D, D)) * 0.02         # 147_456 numbers

qkv = x @ Wqkv                    # (2, 10, 1152)
q, k, v = np.split(qkv, 3, -1)    # each (2, 10, 384)


def heads(a):
    return a.reshape(B, T, H, dk).transpose(0, 2, 1, 3)


q, k, v = heads(q), heads(k), heads(v)       # each (2, 6, 10, 64)
scores = q @ k.transpose(0, 1, 3, 2) / dk ** 0.5
print(scores.shape)               # (2, 6, 10, 64)

mask = np.triu(np.ones((T, T), bool), 1)
print(mask.sum())                 # 45 entries above the diagonal, 10 * 9 / 2
scores[:, :, mask] = -np.inf

w = np.exp(scores - scores.max(-1, keepdims=True))
w /= w.sum(-1, keepdims=True)
print(w[0, 0, 0, :3])             # [1. 0. 0.]  the first token sees only itself

y = (w @ v).transpose(0, 2, 1, 3).reshape(B, T, D) @ Wo
print(y.shape)                    # (2, 10, 384)

# KV cache: K and V, all heads, fp16 (2 bytes), for 12 such layers and one sequence of 1024 tokens
per_token = 2 * D * 2 * 12        # 18432 bytes
print(per_token * 1024 / 2**20)   # 18.0 MiB
