"""Cross-entropy from logits, three examples, three classes.

    logits            target   log-sum-exp   loss
    2.0  0.5 -1.0       0        2.2413      2.2413 - 2.0 = 0.2413
    0.2  1.4  0.3       2        1.8911      1.8911 - 0.3 = 1.5611
   -0.5  0.1  0.9       2        1.4282      1.4282 - 0.9 = 0.5282

Sum of the losses 2.3606, mean 0.7869, perplexity exp(0.7869) = 2.197.
"""
import math

LOGITS = [[2.0, 0.5, -1.0], [0.2, 1.4, 0.3], [-0.5, 0.1, 0.9]]
TARGETS = [0, 2, 2]


def softmax(row):
    top = max(row)  # subtract the max: exp never overflows
    e = [math.exp(z - top) for z in row]
    s = sum(e)
    return [x / s for x in e]


probs = [softmax(r) for r in LOGITS]
# [0.7856, 0.1753, 0.0391]
# [0.1843, 0.6120, 0.2037]
# [0.1454, 0.2649, 0.5896]

correct = sum(max(range(3), key=p.__getitem__) == t for p, t in zip(probs, TARGETS))
# 2 of 3 right -> accuracy 66.7 %

# gradient of the (summed) loss wrt the logits = probs - onehot
grads = [[p - (i == t) for i, p in enumerate(row)] for row, t in zip(probs, TARGETS)]
# [-0.2144, 0.1753, 0.0391]     rows sum to zero
# [0.1843, 0.6120, -0.7963]
# [0.1454, 0.2649, -0.4104]

# label smoothing with eps = 0.1: target 0.9 + 0.1/3 = 0.9333, the others 0.1/3 = 0.0333
# a uniform guess over 3 classes would cost log(3) = 1.0986
print(sum(-math.log(p[t]) for p, t in zip(probs, TARGETS)) / 3)
