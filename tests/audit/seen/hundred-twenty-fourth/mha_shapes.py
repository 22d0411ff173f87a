# mha_shapes.py -- follow the shapes through multi-head attention
# (accompanies slide 23 ff.; run it with `python mha_shapes.py`, the comments show what is printed)
import numpy as np

B, T, D, H = 4, 10, 96, 6          # batch, tokens, model width, heads
d_k = D // H
print(d_k)
# -> 16

rng = np.random.default_rng(0)
X = rng.normal(size=(B, T, D))
W_q, W_k, W_v, W_o = (rng.normal(size=(D, D)) for _ in range(4))

# 1. project, then cut the last axis into H pieces and move the heads forward
def split(M):
    return M.reshape(B, T, H, d_k).transpose(0, 2, 1, 3)

Q, K, V = split(X @ W_q), split(X @ W_k), split(X @ W_v)
print(Q.shape)
# -> (4, 6, 10, 16)

# 2. every token looks at every token, in each head separately
S = Q @ K.transpose(0, 1, 3, 2) / np.sqrt(d_k)
print(S.shape)
# -> (4, 6, 10, 16)
print(S.size)
# -> 2400

# 3. softmax over the last axis, so that each row sums to 1
A = np.exp(S - S.max(axis=-1, keepdims=True))
A = A / A.sum(axis=-1, keepdims=True)
print(round(A.sum()))              # B*H*T rows, each with sum 1
# -> 240

# 4. weighted values, heads back together, output projection
O = A @ V
print(O.shape)
# -> (4, 6, 10, 16)
Y = O.transpose(0, 2, 1, 3).reshape(B, T, D) @ W_o
print(Y.shape)
# -> (4, 10, 96)

print(sum(W.size for W in (W_q, W_k, W_v, W_o)))   # parameters, no biases
# -> 36864
