# Adam, the first two steps, one weight
# (beta1 = 0.9, beta2 = 0.999, lr = 0.01)

m, v, w = 0.0, 0.0, 1.0

g = 0.4
m = 0.9 * m + 0.1 * g
v = 0.999 * v + 0.001 * g ** 2
round(m, 6)                  # 0.04
round(v, 6)                  # 0.00016
m_hat = m / (1 - 0.9)
v_hat = v / (1 - 0.999)
round(m_hat, 6)              # 0.4
round(v_hat, 6)              # 0.16
w = w - 0.01 * m_hat / v_hat ** 0.5
round(w, 6)                  # 0.99

g = -0.2
m = 0.9 * m + 0.1 * g
v = 0.999 * v + 0.001 * g ** 2
round(m, 6)                  # 0.016
round(v, 8)                  # 0.00019984
m_hat = m / (1 - 0.9 ** 2)
round(m_hat, 6)              # 0.16
