"""Momentum on a parabola, so I can stop confusing the two conventions.

f(w) = w^2 - 6w + 10, minimum f = 1 at w = 3.
Convention used here (the one from the lecture, not the PyTorch one):

    v <- mu * v - lr * grad
    w <- w + v
"""

lr, mu = 0.1, 0.5


def f(w):
    return w * w - 6 * w + 10


def grad(w):
    return 2 * w - 6


w, v = 0.0, 0.0
for t in range(1, 5):
    g = grad(w)
    v = mu * v - lr * g
    w = w + v
    print(t, round(g, 4), round(v, 4), round(w, 4), round(f(w), 4))

# what it prints:
#
# t   grad     v       w       f(w)
# 1  -6.000   0.6000  0.6000  6.7600
# 2  -4.800   0.7800  1.3800  3.6244
# 3  -3.240   0.7140  2.0940  1.8308
# 4  -1.812   0.5382  2.6322  1.1353
#
# (zeros padded by me so that the columns line up)
#
# by hand for t = 2:  v = 0.5*0.6 - 0.1*(-4.8) = 0.3 + 0.48 = 0.78,  w = 0.6 + 0.78 = 1.38
# plain gradient descent after two steps would be at 0.6 + 0.48 = 1.08, so momentum is 0.3 ahead
