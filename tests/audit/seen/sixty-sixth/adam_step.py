# First Adam step for a single weight, everything spelled out.
lr, b1, b2 = 0.01, 0.9, 0.999
w, g = 1.5, 0.8
m = v = 0.0

m = b1 * m + (1 - b1) * g
v = b2 * v + (1 - b2) * g * g
print(round(m, 6))        # 0.08
print(round(v, 6))        # 0.00064

m_hat = m / (1 - b1)      # bias correction, t = 1
v_hat = v / (1 - b2)
print(round(m_hat, 6))    # 0.8
print(round(v_hat, 6))    # 0.64

w = w - lr * m_hat / v_hat ** 0.5
print(round(w, 6))        # 1.49   (the first step always has the length of lr)
