# Minimise f(w) = (w - 3)^2 with momentum. Exercise: do it on paper first.
lr, beta = 0.1, 0.9
w, v = 0.0, 0.0

for step in range(1, 5):
    g = 2 * (w - 3)
    v = beta * v + g
    w = w - lr * v
    print(step, round(g, 4), round(v, 4), round(w, 4))

# step  grad     velocity  w
# 1     -6.0     -6.0      0.6
# 2     -4.8     -10.2     1.62
# 3     -2.76    -12.96    2.814
# 4     -0.372   -11.118   3.9258
