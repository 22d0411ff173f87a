"""
Heavy ball on f(x, y) = x**2 + 10 * y**2, worked by hand to debug my optimizer.

gradient: (2x, 20y);  lr = 0.02, mu = 0.9, velocity starts at (0, 0)

start            x = 5.0       y = 1.0       f = 25 + 10 = 35
step 1   grad    10.0          20.0
         v       -0.2          -0.4          (v = mu * v - lr * grad)
         pos     4.8           0.6           f = 23.04 + 3.6 = 26.64
step 2   grad    9.6           12.0
         v       -0.372        -0.6          (-0.18 - 0.192 and -0.36 - 0.24)
         pos     4.428         0.0           f = 19.607
step 3   grad    8.856         0.0
         v       -0.51192      -0.54
         pos     3.91608       -0.54         f = 15.336 + 2.916 = 18.252

y overshoots in step 3 although its gradient is zero there; pure momentum.
"""
lr, mu = 0.02, 0.9
pos = [5.0, 1.0]
vel = [0.0, 0.0]


def f(p):
    return p[0] ** 2 + 10 * p[1] ** 2


for step in range(3):
    grad = [2 * pos[0], 20 * pos[1]]
    vel = [mu * v - lr * g for v, g in zip(vel, grad)]
    pos = [p + v for p, v in zip(pos, vel)]

# without momentum, three steps would only reach
plain_x = 5.0 * (1 - 0.02 * 2) ** 3      # 5.0 * 0.96**3 = 4.42368
plain_y = 1.0 * (1 - 0.02 * 20) ** 3     # 0.6**3 = 0.216
plain_f = plain_x ** 2 + 10 * plain_y ** 2   # 19.569 + 0.467 = 20.036
