"""Attention for one query without numpy. Run it, the comments say what to expect."""
import math


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def softmax(z):
    m = max(z)
    e = [math.exp(x - m) for x in z]
    return [x / sum(e) for x in e]


q = [0.5, 1.0]
K = [[1, 2], [3, 0], [0, -2]]
V = [[1, 0], [0, 1], [2, 2]]

# 0.5*1 + 1.0*2 = 2.5
# 0.5*3 + 1.0*0 = 1.5
# 0.5*0 + 1.0*(-2) = 2.0
scores = [dot(q, k) for k in K]

# [0.725, 0.267, 0.008]
w = softmax(scores)

# first component:  0.725*1 + 0.267*0 + 0.008*2 = 0.741
# second component: 0.725*0 + 0.267*1 + 0.008*2 = 0.283
out = [sum(a * v[i] for a, v in zip(w, V)) for i in range(2)]

if __name__ == "__main__":
    print(scores, w, out)
