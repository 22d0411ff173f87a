# Shape walk-through for the onboarding page. No maths, only bookkeeping.
import numpy as np

B, T, H, D = 4, 10, 8, 32
x = np.zeros((B, T, H * D))
print(x.shape)                                  # (4, 10, 256)

q = x.reshape(B, T, H, D).transpose(0, 2, 1, 3)
print(q.shape)                                  # (4, 8, 10, 32)

k = q.copy()
scores = q @ k.swapaxes(-1, -2)
print(scores.shape)                             # (4, 8, 32, 32)

out = scores @ q
print(out.shape)                                # (4, 8, 10, 32)

merged = out.transpose(0, 2, 1, 3).reshape(B, T, H * D)
print(merged.shape)                             # (4, 10, 256)
print(merged[:, -1].shape)                      # (4, 256)
print(scores.size)                              # 3200
