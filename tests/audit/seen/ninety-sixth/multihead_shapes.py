"""Shapes in multi-head attention, the cheat sheet I wish I'd had.

Every line says what comes out. B = batch, T = tokens, D = model width,
H = heads, dh = D // H.
"""
import numpy as np

rng = np.random.default_rng(0)
B, T, D, H = 2, 10, 48, 6
dh = D // H                                   # 8

x = rng.normal(size=(B, T, D))                # (2, 10, 48)
Wqkv = rng.normal(size=(D, 3 * D))            # (48, 144)
Wo = rng.normal(size=(D, D))                  # (48, 48)

qkv = x @ Wqkv                                # (2, 10, 144)
q, k, v = np.split(qkv, 3, axis=-1)           # each (2, 10, 48)


def heads(t):
    """(B, T, D) -> (B, H, T, dh)"""
    return t.reshape(B, T, H, dh).transpose(0, 2, 1, 3)


q, k, v = heads(q), heads(k), heads(v)        # each (2, 6, 10, 8)

scores = q @ k.transpose(0, 1, 3, 2)          # (2, 6, 10, 8)
scores = scores / np.sqrt(dh)                 # divide by sqrt(8) = 2.828

mask = np.triu(np.ones((T, T)), k=1) == 1     # (10, 10)
print(mask.sum())                             # 45, i.e. 10 * 9 / 2
scores = np.where(mask, -np.inf, scores)

w = np.exp(scores - scores.max(-1, keepdims=True))
w = w / w.sum(-1, keepdims=True)              # (2, 6, 10, 10), rows sum to 1

z = w @ v                                     # (2, 6, 10, 8)
z = z.transpose(0, 2, 1, 3).reshape(B, T, D)  # (2, 10, 48)
y = z @ Wo                                    # (2, 10, 48)

print(y.shape)                                # (2, 10, 48)
print(Wqkv.size + Wo.size)                    # 6912 + 2304 = 9216
print(x.size, w.size)                         # 960 1200
# multiply-adds for scores, whole batch: 2 * 6 * 10 * 10 * 8 = 9600
