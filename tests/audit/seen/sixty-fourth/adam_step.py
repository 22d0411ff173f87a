"""The first Adam step for one weight, as a regression test in slow motion."""

lr, b1, b2 = 0.01, 0.9, 0.999
w, g = 0.5, -0.3

m = b1 * 0 + (1 - b1) * g
print(round(m, 6))             # -0.03

v = b2 * 0 + (1 - b2) * g * g
print(round(v, 8))             # 0.0009

m_hat = m / (1 - b1)
print(round(m_hat, 6))         # -0.3

v_hat = v / (1 - b2)
print(round(v_hat, 6))         # 0.09

step = lr * m_hat / v_hat ** 0.5
print(round(step, 6))          # -0.01

w = w - step
print(round(w, 6))             # 0.51

# plain SGD with the same rate would have moved by lr * g only
print(round(0.01 * -0.3, 6))   # -0.003
