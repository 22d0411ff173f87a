"""Follow the shapes through multi-head self-attention (run me)."""
import numpy as np

B, T, D, H = 2, 6, 32, 4          # batch, tokens, width, heads
hd = D // H                       # 8

rng = np.random.default_rng(0)
x = rng.normal(size=(B, T, D))
w_qkv = rng.normal(size=(D, 3 * D))
w_out = rng.normal(size=(D, D))

qkv = x @ w_qkv
print(qkv.shape)                  # (2, 6, 96)

q, k, v = np.split(qkv, 3, axis=-1)
print(q.shape)                    # (2, 6, 32)


def heads(t):
    return t.reshape(B, T, H, hd).transpose(0, 2, 1, 3)


q, k, v = heads(q), heads(k), heads(v)
print(q.shape)                    # (2, 4, 6, 8)
print(k.swapaxes(-1, -2).shape)   # (2, 4, 6, 8)

scores = q @ k.swapaxes(-1, -2) / np.sqrt(hd)
print(scores.shape)               # (2, 4, 6, 6)
print(scores.size)                # 288

w = np.exp(scores - scores.max(-1, keepdims=True))
w = w / w.sum(-1, keepdims=True)
o = w @ v
print(o.shape)                    # (2, 4, 6, 8)

o = o.transpose(0, 2, 1, 3).reshape(B, T, D)
print((o @ w_out).shape)          # (2, 6, 32)

print(w_qkv.size + w_out.size)    # 4096
