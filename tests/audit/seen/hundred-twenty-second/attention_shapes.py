"""Lesson 11: the shapes in multi-head attention.

Run the file and compare what it prints with the comments.
We only look at the shapes today, so the numbers may be random.
"""
import numpy as np

batch, words, d_model, heads = 4, 12, 48, 6
d_head = d_model // heads
print(d_head)                                   # 8

rng = np.random.default_rng(0)
x = rng.normal(size=(batch, words, d_model))
Wq, Wk, Wv, Wo = rng.normal(size=(4, d_model, d_model))

# 1. Every word gets a query, a key and a value.
Q, K, V = x @ Wq, x @ Wk, x @ Wv
print(Q.shape)                                  # (4, 12, 48)


# 2. We cut each of them into pieces, one piece for each head,
#    and bring the heads to the front.
def split(t):
    return t.reshape(batch, words, heads, d_head).transpose(0, 2, 1, 3)


Q, K, V = split(Q), split(K), split(V)
print(Q.shape)                                  # (4, 6, 12, 8)

# 3. Every word is compared with every word, in each head.
scores = Q @ K.transpose(0, 1, 3, 2) / np.sqrt(d_head)
print(scores.shape)                             # (4, 6, 12, 8)
print(scores.size)                              # 3456

weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
weights /= weights.sum(axis=-1, keepdims=True)

# 4. The weights mix the values; then the heads are glued together again.
mixed = weights @ V
print(mixed.shape)                              # (4, 6, 12, 8)
out = mixed.transpose(0, 2, 1, 3).reshape(batch, words, d_model) @ Wo
print(out.shape)                                # (4, 12, 48)

# 5. Four square matrices have to be learned (we have left out the biases).
print(4 * d_model * d_model)                    # 9216
