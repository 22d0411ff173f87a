"""Exercise 8, part 1: shapes in multi-head attention (numpy only).

Batch of 2 sentences with 10 tokens, model width 64, 4 heads.
The numbers behind the prints are what we got in the lab.
"""
import numpy as np

rng = np.random.default_rng(0)
B, T, D, H = 2, 10, 64, 4
d_head = D // H
print(d_head)  # 16

x = rng.normal(size=(B, T, D))
Wq, Wk, Wv, Wo = (rng.normal(size=(D, D)) / np.sqrt(D) for _ in range(4))
print(Wq.size + Wk.size + Wv.size + Wo.size)  # 16384


def split(z):
    # (B, T, D) -> (B, H, T, d_head)
    return z.reshape(B, T, H, d_head).transpose(0, 2, 1, 3)


q, k, v = split(x @ Wq), split(x @ Wk), split(x @ Wv)
print(q.shape)  # (2, 4, 10, 64)
print(k.transpose(0, 1, 3, 2).shape)  # (2, 4, 16, 10)

# one score for each pair of tokens, in every head
s = q @ k.transpose(0, 1, 3, 2) / np.sqrt(d_head)
print(s.shape)  # (2, 4, 10, 10)
print(s.size)  # 800

s = s - s.max(axis=-1, keepdims=True)
a = np.exp(s) / np.exp(s).sum(axis=-1, keepdims=True)
print(a.sum().round(1))  # 80.0
# (the rows sum to 1, so this just counts the rows: 2 * 4 * 10)

o = a @ v
o = o.transpose(0, 2, 1, 3).reshape(B, T, D)
print((o @ Wo).shape)  # (2, 10, 64)
