"""Three optimisers on the same gradients (course unit 8, exercise 2)."""
grads = [1.0, 0.5, -0.25]
lr = 0.2

# plain SGD from theta = 3
theta = 3.0
for g in grads:
    theta -= lr * g
print(round(theta, 4))          # 2.75

# momentum, mu = 0.9: v = 0.9 v + g, theta = theta - lr v
t, v = 3.0, 0.0
velocities = []
for g in grads:
    v = 0.9 * v + g
    velocities.append(round(v, 4))
    t -= lr * v
print(velocities)               # [1.0, 1.4, 1.01]
print(round(t, 4))              # 2.318

# AdaGrad: accumulate squares, divide by the root
acc = 0.0
a = 3.0
for g in grads:
    acc += g * g
    a -= lr * g / acc ** 0.5
print(acc)                      # 1.75
print(round(a, 4))              # 2.7542

# cosine schedule, 100 steps, peak 0.2
import math
sched = [round(0.1 * (1 + math.cos(math.pi * k / 100)), 4) for k in (0, 25, 50, 75, 100)]
print(sched)                    # [0.2, 0.1707, 0.1, 0.0293, 0.0]
