# Momentum, followed with a pencil.
#
# The bowl f(x, y) = x**2 + 4*y**2 is four times steeper along y than
# along x. Its gradient is (2x, 8y). We let a heavy ball roll in it:
#
#     v = 0.9 * v + gradient
#     w = w - 0.1 * v
#
# and start at (3, 1) at rest. My students do these three steps at the
# blackboard before they are allowed to press "run".

def f(x, y):
    return x**2 + 4 * y**2

x, y = 3.0, 1.0
vx, vy = 0.0, 0.0
print(f(x, y))          # 9 + 4 = 13

for step in range(3):
    gx, gy = 2 * x, 8 * y
    vx, vy = 0.9 * vx + gx, 0.9 * vy + gy
    x, y = x - 0.1 * vx, y - 0.1 * vy
    print(round(x, 3), round(y, 3))

# Step 1: gradient = (6, 8)
#         v = (6, 8), there is no old speed yet
#         w = (3 - 0.6, 1 - 0.8) = (2.4, 0.2)
#
# Step 2: gradient = (4.8, 1.6)
#         v = (0.9*6 + 4.8, 0.9*8 + 1.6) = (10.2, 8.8)
#         w = (2.4 - 1.02, 0.2 - 0.88) = (1.38, -0.68)
#
# Step 3: gradient = (2.76, -5.44)
#         v = (0.9*10.2 + 2.76, 0.9*8.8 - 5.44) = (11.94, 13.36)
#         w = (1.38 - 1.194, -0.68 - 0.248) = (0.186, -0.928)
#
# Look at y: the ball has rolled through the valley floor and is climbing the
# other side, because the old speed is still larger than the new gradient.
# Without momentum the second step would have been
# (2.4 - 0.48, 0.2 - 0.16) = (1.92, 0.04).

print(round(f(x, y), 3))    # 0.186**2 + 4 * 0.928**2 = 3.479
