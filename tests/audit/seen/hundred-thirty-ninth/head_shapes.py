# Follow the shapes: multi-head attention with numpy
#
# My advice to every pupil: write the shape behind each line before you run it.
# Eight sentences, 20 tokens each, width 96, six heads.

import numpy as np

B, N, d, H = 8, 20, 96, 6
dh = d // H
print(dh)                       # 16

x = np.ones((B, N, d))
Wq = np.ones((d, d)) / d
Wk = np.ones((d, d)) / d
Wv = np.ones((d, d)) / d

q = x @ Wq
print(q.shape)                  # (8, 20, 96)


def split(t):
    return t.reshape(B, N, H, dh).transpose(0, 2, 1, 3)


q, k, v = split(x @ Wq), split(x @ Wk), split(x @ Wv)
print(q.shape)                  # (8, 6, 20, 16)
print(k.transpose(0, 1, 3, 2).shape)   # (8, 6, 16, 20)

scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(dh)
print(scores.shape)             # (8, 6, 20, 16)
print(round(float(scores[0, 0, 0, 0]), 2))     # 4.0: sixteen ones, over sqrt(16)

w = np.exp(scores)
w = w / w.sum(axis=-1, keepdims=True)
print(round(float(w[0, 0, 0, 0]), 2))          # 0.05, every token gets 1/20

out = (w @ v).transpose(0, 2, 1, 3).reshape(B, N, d)
print(out.shape)                # (8, 20, 96)

# How many scores is that in all?  8 * 6 * 20 * 20:
print(scores.size)              # 19200
# The three matrices hold 3 * 96 * 96 weights:
print(Wq.size + Wk.size + Wv.size)     # 27648
