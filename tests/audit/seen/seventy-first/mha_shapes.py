import numpy as np

B, T, C, H = 2, 10, 64, 8          # batch, tokens, channels, heads
x = np.zeros((B, T, C))
w_qkv = np.zeros((C, 3 * C))

qkv = x @ w_qkv
print(qkv.shape)                   # (2, 10, 192)
q, k, v = np.split(qkv, 3, axis=-1)
print(q.shape)                     # (2, 10, 64)

def heads(t):
    return t.reshape(B, T, H, C // H).transpose(0, 2, 1, 3)

q, k, v = heads(q), heads(k), heads(v)
print(k.shape)                     # (2, 8, 10, 8)
scores = q @ k.transpose(0, 1, 3, 2)
print(scores.shape)                # (2, 8, 10, 8)
out = scores @ v
print(out.shape)                   # (2, 8, 10, 8)
merged = out.transpose(0, 2, 1, 3).reshape(B, T, C)
print(merged.shape)                # (2, 10, 64)
