import numpy as np

B, T, H, KV, hd = 2, 16, 12, 4, 32
x = np.zeros((B, T, H * hd))
wq = np.zeros((H * hd, H * hd))
wkv = np.zeros((H * hd, 2 * KV * hd))

q = x @ wq
print(q.shape)   # (2, 16, 384)
kv = x @ wkv
print(kv.shape)  # (2, 16, 128)

q = q.reshape(B, T, H, hd).transpose(0, 2, 1, 3)
print(q.shape)   # (2, 12, 16, 32)
k, v = np.split(kv, 2, axis=-1)
k = k.reshape(B, T, KV, hd).transpose(0, 2, 1, 3)
print(k.shape)   # (2, 4, 16, 32)
k = np.repeat(k, H // KV, axis=1)
print(k.shape)   # (2, 12, 16, 32)

s = q @ k.transpose(0, 1, 3, 2)
print(s.shape)   # (2, 12, 16, 16)
print(s.size)    # 6144
