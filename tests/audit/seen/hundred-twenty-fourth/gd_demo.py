"""Gradient descent on an elongated bowl, for the lecture on optimisation.

f(x, y) = x^2 + 3 y^2, so the gradient is (2x, 6y). Start at (2, 1), learning rate 0.1.
The output is pasted below each call, so you can follow along without a computer.
"""


def f(x, y):
    return x**2 + 3 * y**2


def step(x, y, lr=0.1):
    return x - lr * 2 * x, y - lr * 6 * y


# With lr = 0.1, x is multiplied by 1 - 0.2 = 0.8 and y by 1 - 0.6 = 0.4 in every step.
x, y = 2.0, 1.0
print(f"start   x = {x:.4f}  y = {y:.4f}  f = {f(x, y):.4f}")
# start   x = 2.0000  y = 1.0000  f = 7.0000

for k in range(1, 5):
    x, y = step(x, y)
    print(f"step {k}  x = {x:.4f}  y = {y:.4f}  f = {f(x, y):.4f}")
# step 1  x = 1.6000  y = 0.4000  f = 3.0400
# step 2  x = 1.2800  y = 0.1600  f = 1.7252
# step 3  x = 1.0240  y = 0.0640  f = 1.0609
# step 4  x = 0.8192  y = 0.0256  f = 0.6731

# y converges much faster than x. What if we are greedy? The factor for y is 1 - 6*lr,
# which must stay between -1 and 1, so lr has to be below 2/6:
print(round(2 / 6, 4))
# 0.3333

# lr = 0.35 is slightly too large: y is multiplied by 1 - 6*0.35 = -1.1 and blows up,
# although x, with the factor 1 - 0.7 = 0.3, is perfectly happy.
x, y = 2.0, 1.0
for k in range(3):
    x, y = step(x, y, lr=0.35)
print(f"{x:.3f} {y:.3f} {f(x, y):.3f}")
# 0.054 -1.331 5.318
