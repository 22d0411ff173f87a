# First step of Adam for one weight, with bias correction.
beta1, beta2, lr, eps = 0.9, 0.999, 0.01, 1e-8
w = 0.25
g = -0.6

m = beta1 * 0 + (1 - beta1) * g        # 0.1 * (-0.6) = -0.06
v = beta2 * 0 + (1 - beta2) * g ** 2   # 0.001 * 0.36 = 0.0036

m_hat = m / (1 - beta1)                # -0.06 / 0.1 = -0.6
v_hat = v / (1 - beta2)                # 0.00036 / 0.001 = 0.36

step = lr * m_hat / (v_hat ** 0.5 + eps)
print(round(step, 4))                  # -0.01
print(round(w - step, 4))              # 0.25 - (-0.01) = 0.26
