"""AdamW on two parameters, two steps (eps = 0).

beta1 = 0.9, beta2 = 0.99, lr = 0.01, decoupled weight decay 0.1.

step 1   w = (2, -1), g = (0.3, -0.04)
    m      (0.030, -0.0040)
    v      (0.0009, 0.000016)
    m^/sqrt(v^) = (1, -1): the first step only sees signs
    decay  0.01 * 0.1 * w = (0.002, -0.001)
    w      (2 - 0.002 - 0.01, -1 + 0.001 + 0.01) = (1.988, -0.989)

step 2   g = (0.1, 0.06)
    m      (0.9*0.03 + 0.1*0.1, 0.9*(-0.004) + 0.1*0.06) = (0.037, 0.0096)
    v      (0.000991, 0.00005184)
    m^     (0.19474, 0.01263)
    v^     (0.049799, 0.002605)
    ratio  (0.873, 0.247)
    w      (1.9773, -0.9905)
"""
from math import sqrt


def adamw(w, grads, lr=0.01, b1=0.9, b2=0.99, wd=0.1):
    m = [0.0] * len(w)
    v = [0.0] * len(w)
    for t, g in enumerate(grads, 1):
        for i in range(len(w)):
            m[i] = b1 * m[i] + (1 - b1) * g[i]
            v[i] = b2 * v[i] + (1 - b2) * g[i] ** 2
            mh = m[i] / (1 - b1 ** t)
            vh = v[i] / (1 - b2 ** t)
            w[i] -= lr * wd * w[i] + lr * mh / sqrt(vh)
    return w


if __name__ == "__main__":
    out = adamw([2.0, -1.0], [(0.3, -0.04), (0.1, 0.06)])
    print([round(x, 4) for x in out])   # [1.9773, -0.9905]
