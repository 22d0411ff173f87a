# Adam, the first two steps, with one weight.
# Results in the comments are what Python prints, rounded to 6 places.
lr, b1, b2, eps = 0.01, 0.9, 0.999, 1e-8
w = 1.0
m = v = 0.0

# ---- step 1, gradient 0.4 ----
g = 0.4
m = b1 * m + (1 - b1) * g         # 0.1 * 0.4 = 0.04
v = b2 * v + (1 - b2) * g ** 2    # 0.001 * 0.16 = 0.00016
m_hat = m / (1 - b1)              # 0.04 / 0.1 = 0.4
v_hat = v / (1 - b2)              # 0.00016 / 0.001 = 0.16
w -= lr * m_hat / (v_hat ** 0.5 + eps)   # 0.01 * 0.4 / 0.4 = 0.01, so w = 0.99
print(round(w, 6))                # 0.99

# ---- step 2, gradient -0.2 ----
g = -0.2
m = b1 * m + (1 - b1) * g         # 0.9 * 0.04 - 0.1 * 0.2 = 0.036 - 0.02 = 0.016
v = b2 * v + (1 - b2) * g ** 2    # 0.999 * 0.00016 + 0.001 * 0.04 = 0.00019984
m_hat = m / (1 - b1 ** 2)         # 0.016 / 0.19 = 0.082411
v_hat = v / (1 - b2 ** 2)         # 0.00019984 / 0.001999 = 0.09997
step = lr * m_hat / (v_hat ** 0.5 + eps)
print(round(v_hat ** 0.5, 6))     # 0.31618
print(round(step, 6))             # 0.002663
w -= step
print(round(w, 6))                # 0.987337

# Plain SGD would have gone to 1 - 0.01 * 0.4 = 0.996 and then
# 0.996 + 0.01 * 0.2 = 0.998.
# Memory: 3 numbers per weight (w, m, v), so a model with 7,000,000 weights needs
# 3 * 7,000,000 * 4 = 84,000,000 bytes in float32.
