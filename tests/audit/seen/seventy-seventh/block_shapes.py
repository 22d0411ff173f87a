"""Walk through one transformer block and write down every shape.

Batch 4, 10 tokens, width 48, 6 heads, feed-forward 4 times as wide.
"""
import numpy as np

B, T, D, H = 4, 10, 48, 6
d = D // H                                   # 48 / 6 = 8
x = np.zeros((B, T, D))                      # (4, 10, 48)

w_qkv = np.zeros((D, 3 * D))                 # (48, 144)
qkv = x @ w_qkv                              # (4, 10, 144)
q, k, v = np.split(qkv, 3, axis=-1)          # each (4, 10, 48)

q = q.reshape(B, T, H, d).transpose(0, 2, 1, 3)   # (4, 6, 10, 8)
k = k.reshape(B, T, H, d).transpose(0, 2, 3, 1)   # (4, 6, 10, 8)
v = v.reshape(B, T, H, d).transpose(0, 2, 1, 3)   # (4, 6, 10, 8)

scores = q @ k / np.sqrt(d)                  # (4, 6, 10, 10)
weights = np.exp(scores)
weights = weights / weights.sum(axis=-1, keepdims=True)
mixed = weights @ v                          # (4, 6, 10, 8)
merged = mixed.transpose(0, 2, 1, 3).reshape(B, T, D)   # (4, 10, 48)

w_up = np.zeros((D, 4 * D))                  # (48, 192)
w_down = np.zeros((4 * D, D))                # (192, 48)
hidden = np.maximum(merged @ w_up, 0)        # (4, 10, 192)
out = hidden @ w_down + x                    # (4, 10, 48)

flat = out.reshape(B * T, D)                 # (40, 48)
pooled = out.mean(axis=1)                    # (4, 48)

# parameters: 48 * 144 + 48 * 192 + 192 * 48 = 6912 + 9216 + 9216 = 25344
# (the output projection, 48 * 48 = 2304 more, was left out to keep this short)
n_params = w_qkv.size + w_up.size + w_down.size
print(out.shape, n_params)                   # (4, 10, 48) 25344
