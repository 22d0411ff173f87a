"""Shapes through one layer (numpy, no training)."""
import numpy as np

x = np.ones((8, 50, 96))          # batch, tokens, features
W_q = np.ones((96, 48))
W_k = np.ones((96, 48))
W_v = np.ones((96, 24))

q = x @ W_q                       # (8, 50, 48)
k = x @ W_k                       # (8, 50, 48)
v = x @ W_v                       # (8, 50, 24)

scores = q @ k
weights = np.ones((8, 50, 50)) / 50   # each weight is 0.02
out = weights @ v                 # (8, 50, 24)

n_params = W_q.size + W_k.size + W_v.size
print(n_params)                   # 11250
