# Multi-head self-attention without a framework. I keep this file around
# because I always forget which axis goes where.
import numpy as np

B, T, D, H = 2, 10, 48, 6       # batch, time, model width, heads
dh = D // H                     # 8 per head
rng = np.random.default_rng(0)

x = rng.normal(size=(B, T, D))
Wqkv = rng.normal(size=(D, 3 * D)) / np.sqrt(D)     # (48, 144)
Wo = rng.normal(size=(D, D)) / np.sqrt(D)           # (48, 48)

qkv = x @ Wqkv                                      # (2, 10, 144)
q, k, v = np.split(qkv, 3, axis=-1)                 # three times (2, 10, 48)


def heads(a):
    return a.reshape(B, T, H, dh).transpose(0, 2, 1, 3)


q, k, v = heads(q), heads(k), heads(v)              # (2, 6, 10, 8) each
scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(dh)  # sqrt(8) = 2.8284
print(scores.shape)
# (2, 6, 10, 8)

mask = np.triu(np.ones((T, T), dtype=bool), k=1)
print(mask.sum())
# 45 of the 100 positions are hidden, 10*9/2
scores = np.where(mask, -np.inf, scores)
w = np.exp(scores - scores.max(-1, keepdims=True))
w /= w.sum(-1, keepdims=True)

out = (w @ v).transpose(0, 2, 1, 3).reshape(B, T, D) @ Wo
print(out.shape)
# (2, 10, 48)

# parameters: 48*144 + 48*48 = 6912 + 2304 = 9216, i.e. 4*D^2
print(Wqkv.size + Wo.size)
# attention weights held for backward: 2*6*10*10 = 1200 floats, 9600 bytes in float64
print(w.size, w.nbytes)
