# shape of everything in one attention layer, for the contributor guide
import numpy as np

B, T, D, H = 3, 16, 256, 4
x = np.zeros((B, T, D))

qkv = x @ np.zeros((D, 3 * D))              # (3, 16, 768)
q, k, v = np.split(qkv, 3, axis=-1)         # each (3, 16, 256)
q = q.reshape(B, T, H, D // H)              # (3, 16, 4, 64)
q = q.transpose(0, 2, 1, 3)                 # (3, 4, 16, 64)
k = k.reshape(B, T, H, D // H).transpose(0, 2, 3, 1)
print(k.shape)                              # (3, 4, 16, 64)
s = q @ k
print(s.shape)                              # (3, 4, 16, 16)
v = v.reshape(B, T, H, D // H).transpose(0, 2, 1, 3)
o = (s @ v).transpose(0, 2, 1, 3)
print(o.shape)                              # (3, 16, 4, 64)
print(o.reshape(B, T, D).shape)             # (3, 16, 256)
print(s.size)                               # 3072
