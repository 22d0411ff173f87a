"""Grouped-query attention: shapes, written down so I stop forgetting them."""
import numpy as np

B, T, D = 4, 6, 48
HQ, HKV = 8, 2
DH = D // HQ                        # 48 / 8 = 6

x = np.ones((B, T, D))              # (4, 6, 48)
wq = np.ones((D, HQ * DH))          # (48, 48)
wk = np.ones((D, HKV * DH))         # (48, 16)
wv = np.ones((D, HKV * DH))         # same as wk
wo = np.ones((HQ * DH, D))          # square again

q = (x @ wq).reshape(B, T, HQ, DH)      # (4, 6, 8, 6)
k = (x @ wk).reshape(B, T, HKV, DH)     # (4, 6, 2, 6)
v = (x @ wv).reshape(B, T, HKV, DH)     # (4, 6, 2, 6)

rep = HQ // HKV                         # 8 / 2 = 4 query heads per kv head
k = np.repeat(k, rep, axis=2)           # (4, 6, 8, 6)
v = np.repeat(v, rep, axis=2)

s = np.einsum("bthd,bshd->bhts", q, k)  # (4, 8, 6, 6)
a = np.exp(s - s.max(-1, keepdims=True))
a /= a.sum(-1, keepdims=True)           # all ones in, so every weight is 1/6
o = np.einsum("bhts,bshd->bthd", a, v)  # (4, 6, 8, 6)
y = o.reshape(B, T, D) @ wo             # (4, 6, 48)

# parameters: wq 48*48 = 2304, wk and wv 48*12 = 576 each, wo 48*48 = 2304
# total 2304 + 576 + 576 + 2304 = 5760
n = wq.size + wk.size + wv.size + wo.size
assert n == 5760

# every entry: q is a sum of 48 ones, o = v = 48, y = 48 * 48 = 2304
assert y.shape == x.shape and y[0, 0, 0] == 2304

# cache per token: 2 * 2 * 6 = 24 numbers instead of 2 * 8 * 6 = 96
print(n, y.shape)
