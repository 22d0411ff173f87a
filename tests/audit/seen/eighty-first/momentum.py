# Gradient descent with momentum on f(w) = (w - 1)^2
w, v = 5.0, 0.0
lr, mu = 0.05, 0.9

for t in range(1, 6):
    g = 2 * (w - 1)
    v = mu * v + g
    w = w - lr * v
    print(t, round(g, 4), round(v, 4), round(w, 4))

# t   g       v        w
# 1   8.0     8.0      4.6
# 2   7.2     14.4     3.88
# 3   5.76    18.72    2.944
# 4   3.888   20.736   1.9702
# 5   1.8144  20.4768  0.8834

print(round((w - 1) ** 2, 4))   # 0.0136, down from 16 at the start
# without momentum the distance shrinks by 1 - 2 * 0.05 = 0.9 per step:
print(round(4 * 0.9 ** 5, 4))   # 2.362
