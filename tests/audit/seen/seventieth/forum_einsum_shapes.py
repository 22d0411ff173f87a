# Re: Re: einsum (needs 3.8+, tested with numpy 1.24 - 2.0)
import numpy as np

B, T, H, D = 2, 5, 3, 4         # your post had H = 8, D = 64; smaller here
rng = np.random.default_rng(0)  # 0 = any seed you like
q = rng.normal(size=(B, T, H, D))
k = rng.normal(size=(B, 7, H, D))   # 7 keys, e.g. an encoder

s = np.einsum("bthd,bshd->bhts", q, k)
print(s.shape)                  # (2, 3, 5, 7)

s = s / D ** 0.5                # D ** 0.5 = 2.0, not 4 / 0.5
w = np.exp(s) / np.exp(s).sum(-1, keepdims=True)
print(w.sum())                  # about 30, one for each of the 2 * 3 * 5 = 30 rows

o = np.einsum("bhts,bshd->bthd", w, k)
print(o.shape)                  # (2, 5, 3, 4)
print(o.reshape(B, T, H * D).shape)     # (2, 5, 12)

# takes 20 to 40 us here; line 13 is the slow one. See also answers 2 and 4.
print(q.nbytes)                 # 960: 120 numbers of 8 bytes
