# Adam by hand, two steps.  Companion to lecture 8 (Kingma & Ba 2015, Algorithm 1).
#
# beta1 = 0.9, beta2 = 0.999, lr = 0.01, start at theta = 1.0
#
# Step 1, gradient g = 0.4
#   m     = 0.9 * 0 + 0.1 * 0.4 = 0.04
#   v     = 0.999 * 0 + 0.001 * 0.4**2 = 0.00016
#   m_hat = 0.04 / (1 - 0.9) = 0.4
#   v_hat = 0.00016 / (1 - 0.999) = 0.16
#   step  = 0.01 * 0.4 / sqrt(0.16) = 0.01
#   theta = 1.0 - 0.01 = 0.99
#
# The very first step always has size lr, whatever the gradient.  Had g been 40, same thing.
#
# Step 2, gradient g = 0.2
#   m     = 0.9 * 0.04 + 0.1 * 0.2 = 0.056
#   v     = 0.999 * 0.00016 + 0.001 * 0.2**2 = 0.00019984
#   m_hat = 0.056 / (1 - 0.81) = 0.2947
#   v_hat = 0.00019984 / (1 - 0.998001) = 0.09997
#   step  = 0.01 * 0.2947 / 0.3162 = 0.00932
#   theta = 0.99 - 0.00932 = 0.98068

from math import sqrt


def adam(theta, grads, lr=0.01, b1=0.9, b2=0.999, eps=1e-8):
    m = v = 0.0
    for t, g in enumerate(grads, start=1):
        m = b1 * m + (1 - b1) * g
        v = b2 * v + (1 - b2) * g * g
        theta -= lr * (m / (1 - b1**t)) / (sqrt(v / (1 - b2**t)) + eps)
    return theta


assert abs(adam(1.0, [0.4, 0.2]) - 0.98068) < 1e-5
