# Adam on f(w) = w^2, two steps, starting from w = 1.
# Everything printed is copied into the comment on its right.

lr, b1, b2 = 0.1, 0.9, 0.999
w, m, v = 1.0, 0.0, 0.0

# ---- step 1 ----
g = 2 * w                       # 2.0
m = b1 * m + (1 - b1) * g       # 0.1 * 2 = 0.2
v = b2 * v + (1 - b2) * g * g   # 0.001 * 4 = 0.004
mhat = m / (1 - b1 ** 1)        # 0.2 / 0.1 = 2
vhat = v / (1 - b2 ** 1)        # 0.004 / 0.001 = 4
w = w - lr * mhat / vhat ** 0.5     # 1 - 0.1 * 2 / 2 = 0.9
print(round(w, 4))              # 0.9

# ---- step 2 ----
g = 2 * w                       # 1.8
m = b1 * m + (1 - b1) * g       # 0.9 * 0.2 + 0.1 * 1.8 = 0.36
v = b2 * v + (1 - b2) * g * g   # 0.999 * 0.004 + 0.001 * 3.24 = 0.007236
mhat = m / (1 - b1 ** 2)        # 0.36 / 0.19 = 1.8947
vhat = v / (1 - b2 ** 2)        # 0.007236 / 0.001999 = 3.6198
step = lr * mhat / vhat ** 0.5
print(round(step, 4))           # 0.1 * 1.8947 / 1.9026 = 0.0996
w = w - step
print(round(w, 4))              # 0.8004
print(round(w * w, 4))          # loss went 1 -> 0.81 -> 0.6407

# Plain SGD with the same lr would have gone 1 -> 0.8 -> 0.64,
# because each step multiplies w by (1 - 0.1 * 2) = 0.8.
