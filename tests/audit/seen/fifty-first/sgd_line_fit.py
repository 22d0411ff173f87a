"""Fit y = w*x + b to three points by gradient descent.

The points are (1, 3), (2, 5) and (3, 8). With w = b = 0 the residuals
(prediction minus target) are -3, -5 and -8. So the first mean squared error
is (9 + 25 + 64) / 3 = 32.6667, and the gradients are

    dw = 2/3 * (-3*1 - 5*2 - 8*3) = 2/3 * (-37) = -24.6667
    db = 2/3 * (-3 - 5 - 8)       = 2/3 * (-16) = -10.6667

With a learning rate of 0.05 the first step lands at w = 1.2333, b = 0.5333,
where the error has already dropped to 6.5696.

The exact least-squares answer is w = 2.5, b = 0.3333: the means are 2 and
16/3, the covariance sum is 5 and the x-variance sum is 2.
"""

X = [1.0, 2.0, 3.0]
Y = [3.0, 5.0, 8.0]
LR = 0.05


def step(w, b):
    n = len(X)
    res = [w * x + b - y for x, y in zip(X, Y)]
    dw = 2 / n * sum(r * x for r, x in zip(res, X))
    db = 2 / n * sum(res)
    return w - LR * dw, b - LR * db


def mse(w, b):
    # at the optimum the residuals are -1/6, 1/3, -1/6, so this bottoms out at 0.0556
    return sum((w * x + b - y) ** 2 for x, y in zip(X, Y)) / len(X)
