"""Adam, the first two steps of a single parameter.

theta = 0.8, lr = 0.01, beta1 = 0.9, beta2 = 0.999, eps left out.
Gradients: g1 = 0.30, g2 = -0.10.

step 1
    m  = 0.1 * 0.30          = 0.030
    v  = 0.001 * 0.30**2     = 0.000090
    m^ = 0.030 / (1 - 0.9)   = 0.30
    v^ = 0.000090 / 0.001    = 0.09
    step = 0.01 * 0.30 / 0.30 = 0.0100
    theta = 0.7900

step 2
    m  = 0.9 * 0.030 + 0.1 * (-0.10)            = 0.0170
    v  = 0.999 * 0.000090 + 0.001 * (-0.10)**2  = 0.00009991
    m^ = 0.0170 / (1 - 0.81)                    = 0.08947
    v^ = 0.00009991 / (1 - 0.998001)            = 0.04798
    step = 0.01 * m^ / sqrt(v^)                 = 0.00400
    theta = 0.7900 - 0.00400                   = 0.78600
"""


def adam(theta, grads, lr=0.01, b1=0.9, b2=0.999):
    m = v = 0.0
    for t, g in enumerate(grads, start=1):
        m = b1 * m + (1 - b1) * g
        v = b2 * v + (1 - b2) * g * g
        m_hat = m / (1 - b1 ** t)
        v_hat = v / (1 - b2 ** t)
        theta -= lr * m_hat / v_hat ** 0.5
    return theta


if __name__ == "__main__":
    print(adam(0.8, [0.30]))          # 0.7900 (up to float noise)
    print(adam(0.8, [0.30, -0.10]))   # about 0.7860
    # plain SGD would have gone to 0.8 - 0.01 * (0.30 - 0.10) = 0.798
