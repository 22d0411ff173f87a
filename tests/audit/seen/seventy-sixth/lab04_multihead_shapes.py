# CS-448 Lab 4: follow the shapes through multi-head attention.
# Run it, then cover the comments with your hand and try again.
import numpy as np

B, T, D, H = 2, 6, 48, 4            # batch, tokens, width, heads
dh = D // H                         # 48 / 4 = 12

x = np.ones((B, T, D))              # (2, 6, 48)
Wqkv = np.full((D, 3 * D), 0.01)    # (48, 144)
qkv = x @ Wqkv                      # (2, 6, 144)
q, k, v = np.split(qkv, 3, axis=-1) # each (2, 6, 48)


def heads(t):
    return t.reshape(B, T, H, dh).transpose(0, 2, 1, 3)


qh, kh, vh = heads(q), heads(k), heads(v)      # each (2, 4, 6, 12)
scores = qh @ kh.swapaxes(-1, -2)              # (2, 4, 6, 6)

# All inputs are 1 and all weights 0.01, so every entry of q is 48 * 0.01 = 0.48
# and every score is 12 * 0.48 * 0.48 = 2.7648.
print(round(float(scores[0, 0, 0, 0]), 4))     # 2.7648

weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
print(round(float(weights[0, 0, 0, 0]), 4))    # six equal scores: 1/6 = 0.1667

mixed = weights @ vh                           # (2, 4, 6, 12)
y = mixed.transpose(0, 2, 1, 3).reshape(B, T, D)   # (2, 6, 48)

# Counting (no biases): 3 * 48 * 48 = 6,912 for q, k, v and 48 * 48 = 2,304 for the
# output, together 9,216. The score tensor holds 2 * 4 * 6 * 6 = 288 numbers;
# with 60 tokens instead of 6 it would hold 28,800.
assert scores.size == 288
