#!/usr/bin/env python3
r"""Adam on f(theta) = (theta - 3)^2, the first two steps on paper.

theta_0 = 1, lr = 0.1, beta1 = 0.9, beta2 = 0.999 (epsilon ignored).

Step 1
    g     = 2 * (1 - 3)               = -4
    m     = 0.9 * 0 + 0.1 * (-4)      = -0.4
    v     = 0.999 * 0 + 0.001 * 16    = 0.016
    m_hat = -0.4 / (1 - 0.9)          = -4.0
    v_hat = 0.016 / (1 - 0.999)       = 16.0
    theta = 1 - 0.1 * (-4) / 4        = 1.1

Step 2
    g     = 2 * (1.1 - 3)                   = -3.8
    m     = 0.9 * (-0.4) + 0.1 * (-3.8)     = -0.74
    v     = 0.999 * 0.016 + 0.001 * 14.44   = 0.030424
    m_hat = -0.74 / (1 - 0.81)              = -3.8947
    v_hat = 0.030424 / (1 - 0.998001)       = 15.2196
    theta = 1.1 - 0.1 * (-3.8947) / 3.9012   = 1.1998

Note how both steps have a length of almost exactly lr. Plain gradient
descent with the same lr would go 1 -> 1.4 -> 1.72 -> 1.976.
"""


def adam(theta, steps, lr=0.1, b1=0.9, b2=0.999):
    m = v = 0.0
    for t in range(1, steps + 1):
        g = 2 * (theta - 3)
        m = b1 * m + (1 - b1) * g
        v = b2 * v + (1 - b2) * g * g
        m_hat = m / (1 - b1**t)
        v_hat = v / (1 - b2**t)
        theta -= lr * m_hat / v_hat**0.5
        print(t, round(theta, 4))
    return theta


def sgd(theta, steps, lr=0.1):
    for t in range(steps):
        theta -= lr * 2 * (theta - 3)
    return theta


if __name__ == "__main__":
    adam(1.0, 3)
    # 1 1.1
    # 2 1.1998
    # 3 1.2994
    print(round(sgd(1.0, 3), 4))    # -> 1.976
    print((1.976 - 3) ** 2)         # loss after three SGD steps, about 1.049
