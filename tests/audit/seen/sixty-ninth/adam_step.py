# One step of Adam on a single weight, so I can finally see the bias correction.
w, g = 0.8, 0.4
m = v = 0.0
b1, b2, lr, eps = 0.9, 0.999, 0.01, 1e-8

m = b1 * m + (1 - b1) * g          # 0.1 * 0.4 = 0.04
v = b2 * v + (1 - b2) * g * g      # 0.001 * 0.16 = 0.00016
m_hat = m / (1 - b1)               # 0.04 / 0.1 = 0.4
v_hat = v / (1 - b2)               # 0.00016 / 0.001 = 0.16
step = lr * m_hat / (v_hat ** 0.5 + eps)
w = w - step
print(round(step, 6))              # 0.01
print(round(w, 6))                 # 0.79

# second step, gradient -0.2
g = -0.2
m = b1 * m + (1 - b1) * g          # 0.036 - 0.02 = 0.016
print(round(m, 6))                 # 0.016
print(round(m / (1 - b1 ** 2), 4))  # 0.0842
