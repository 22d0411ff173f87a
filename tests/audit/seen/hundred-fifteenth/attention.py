# Companion code to chapter 7 ("Attention without a framework").
# Run it line by line; the results are noted behind the arrows.
from math import exp, log, sqrt


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def softmax(z):
    e = [exp(x) for x in z]
    return [x / sum(e) for x in e]


q = [1.0, -0.5, 2.0]
keys = [[0.5, 1.0, 1.0], [2.0, 1.0, -1.0], [0.0, -2.0, 0.0]]
values = [[4.0, 0.0], [0.0, 4.0], [-4.0, 4.0]]

scores = [dot(q, k) for k in keys]              # -> [2.0, -0.5, 1.0]
scaled = [s / sqrt(len(q)) for s in scores]     # -> 1.155, -0.289, 0.577
w = softmax(scaled)                             # -> 0.556, 0.131, 0.312
out = [dot(w, c) for c in zip(*values)]         # -> 0.976, 1.775

# The mask hides the last key: only two scores are left.
w2 = softmax(scaled[:2])                        # -> 0.809, 0.191

# Cost of a whole layer at d = 768, 12 heads, 1024 tokens
d, heads, n = 768, 12, 1024
d_head = d // heads                             # -> 64
weights = 4 * d * d                             # -> 2359296
score_entries = heads * n * n                   # -> 12582912
proj_flops = 2 * n * weights                    # -> 4831838208
attn_flops = 2 * 2 * n * n * d                  # -> 1610612736
share = attn_flops / (attn_flops + proj_flops)  # -> 0.4

# Loss of a prediction that gives the right token 0.35
loss = -log(0.35)                               # -> 1.0498
