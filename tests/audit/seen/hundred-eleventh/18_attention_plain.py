"""Attention for three tokens without any library -- companion to lecture 8.

Every number in a comment was also computed on the blackboard.
"""
from math import exp, log, sqrt


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def softmax(z):
    e = [exp(x) for x in z]
    return [x / sum(e) for x in e]


q = [2, -1, 1]
keys = [[1, 1, 1], [0, 2, 1], [3, 0, 0]]
values = [[1, 0], [0, 1], [2, 2]]

scores = [dot(q, k) for k in keys]               # [2, -1, 6]
scaled = [s / sqrt(len(q)) for s in scores]      # divide by 1.732: [1.155, -0.577, 3.464]
weights = softmax(scaled)                        # [0.089, 0.016, 0.895]
out = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(2)]
print([round(x, 2) for x in out])                # [1.88, 1.81]

# Causal version for the second token: key 3 is hidden.
masked = softmax(scaled[:2])
print([round(w, 3) for w in masked])             # [0.85, 0.15]

# Cross-entropy of the unmasked weights, as if key 3 were the right answer
loss = -log(weights[2])
print(round(loss, 3))                            # 0.111

# dL/dscaled = weights - one_hot(2); it sums to zero
grad = [weights[0], weights[1], weights[2] - 1]
print([round(g, 3) for g in grad])               # [0.089, 0.016, -0.105]

# parameters of a head with d_model = 48 and d_head = 3, no bias: q, k, v and its slice of W_o
n_params = 3 * 48 * 3 + 3 * 48
print(n_params)                                  # 576
print(n_params * 16)                             # 9216, i.e. 4 * 48 * 48 for all 16 heads
