"""Adam vs. momentum on f(w) = w**2, two steps each. Results pasted from my terminal."""
import math

lr, b1, b2 = 0.1, 0.9, 0.99


def grad(w):
    return 2 * w


# --- Adam, starting at w = 3 ---
w, m, v = 3.0, 0.0, 0.0
g = grad(w)                      # 6.0
m = b1 * m + (1 - b1) * g        # 0.60
v = b2 * v + (1 - b2) * g * g    # 0.36
mh, vh = m / (1 - b1), v / (1 - b2)   # 6.0 and 36.0
w = w - lr * mh / math.sqrt(vh)  # 2.9

g = grad(w)                      # 5.8
m = b1 * m + (1 - b1) * g        # 1.12
v = b2 * v + (1 - b2) * g * g    # 0.6298
mh = m / (1 - b1 ** 2)           # 5.8947
vh = v / (1 - b2 ** 2)           # 34.8141
w = w - lr * mh / math.sqrt(vh)  # 2.8001

# --- plain momentum, same start ---
u, p = 3.0, 0.0
p = 0.9 * p + grad(u)            # 6.0
u = u - lr * p                   # 2.4
p = 0.9 * p + grad(u)            # 0.9 * 6.0 + 4.8 = 10.2
u = u - lr * p                   # 1.38

# momentum is ahead after two steps, 1.38 vs. 2.80, but it'll overshoot later
p = 0.9 * p + grad(u)            # 11.94
u = u - lr * p                   # 0.186
