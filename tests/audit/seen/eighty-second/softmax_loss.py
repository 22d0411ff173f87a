"""Softmax and cross-entropy without a framework (exercise sheet 5, 2022-11-15).

Run with Python 3.8 or newer; the expected output stands behind each print.
"""
import math


def softmax(z):
    top = max(z)                       # keeps exp() below 1e308
    e = [math.exp(x - top) for x in z]
    total = sum(e)
    return [x / total for x in e]


logits = [1.0, 3.0, 0.5, 2.0]
p = softmax(logits)
print([round(x, 4) for x in p])        # [0.0854, 0.6308, 0.0518, 0.2321]
print(round(sum(p), 4))                # 1.0
print(round(p[1] / p[3], 4))           # 2.7183, i.e. e

target = 3
loss = -math.log(p[target])
print(round(loss, 4))                  # -1.4608

grad = [x - (i == target) for i, x in enumerate(p)]
print([round(g, 4) for g in grad])     # [0.0854, 0.6308, 0.0518, -0.7679]

# Adding 100 to every logit changes nothing:
q = softmax([x + 100 for x in logits])
print(max(abs(a - b) for a, b in zip(p, q)) < 1e-12)   # True
