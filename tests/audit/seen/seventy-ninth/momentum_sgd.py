# Tutorial 6, warm-up question.
# Minimise f(w) = (w - 3)^2 from w = 0 with and without momentum.
# Results of my own run are in the comments (Farid, group D).

def grad(w):
    return 2 * (w - 3)

lr = 0.1

# --- plain gradient descent ------------------------------------------
w = 0.0
trace = []
for step in range(4):
    w = w - lr * grad(w)
    trace.append(w)
print([round(t, 4) for t in trace])
# [0.6, 1.08, 1.464, 1.7712]
# closed form after four steps: 3 * (1 - 0.8**4) = 1.7712

# --- heavy ball, beta = 0.5 ------------------------------------------
w, v = 0.0, 0.0
heavy = []
for step in range(4):
    v = 0.5 * v + grad(w)
    w = w - lr * v
    heavy.append((round(v, 4), round(w, 4)))
for v_, w_ in heavy:
    print(v_, w_)
# -6.0 0.6
# -7.8 1.38
# -7.14 2.094
# -5.382 2.6322

gap_plain = 3 - trace[-1]      # 3 - 1.7712 = 1.2288
gap_heavy = 3 - heavy[-1][1]   # 0.3678
print(f"{gap_plain / gap_heavy:.2f}")   # 3.34

# loss at the end of the plain run: 1.2288**2 = 1.5099
