# adam_by_hand.py  --  one weight, two steps, every number written down
# (c) 2022 study group Thursday; used in chapter 8 of the script
#
# lr = 0.1, beta1 = 0.9, beta2 = 0.99, eps ignored, start w = 1.0

lr, b1, b2 = 0.1, 0.9, 0.99
w, m, v = 1.0, 0.0, 0.0

# --- step 1, gradient g = 4 ---
# m = 0.9 * 0 + 0.1 * 4 = 0.4
# v = 0.99 * 0 + 0.01 * 16 = 0.16
# bias correction: m_hat = 0.4 / (1 - 0.9) = 4,  v_hat = 0.16 / (1 - 0.99) = 16
# w = 1.0 - 0.1 * 4 / sqrt(16) = 1.0 - 0.1 = 0.9

# --- step 2, gradient g = 2 ---
# m = 0.9 * 0.4 + 0.1 * 2 = 0.36 + 0.2 = 0.56
# v = 0.99 * 0.16 + 0.01 * 4 = 0.1584 + 0.04 = 0.1624
# m_hat = 0.56 / (1 - 0.81) = 0.56 / 0.19 = 2.947
# v_hat = 0.1984 / (1 - 0.9801) = 0.1984 / 0.0199 = 9.970
# w = 0.9 - 0.1 * 2.947 / 3.158 = 0.9 - 0.0933 = 0.8067
#
# Plain SGD with the same rate would be at 1.0 - 0.4 - 0.2 = 0.4 by now.

for t, g in enumerate([4.0, 2.0], start=1):
    m = b1 * m + (1 - b1) * g
    v = b2 * v + (1 - b2) * g * g
    m_hat = m / (1 - b1 ** t)
    v_hat = v / (1 - b2 ** t)
    w -= lr * m_hat / v_hat ** 0.5
    print(t, round(w, 4))
