# Gradient clipping, one step, no libraries.
# Homework 4, question 2 (my answer; the TA's version is shorter).
import math

w = [0.5, -1.2, 2.0]
g = [6.0, -2.0, 3.0]
lr = 0.1
max_norm = 1.0

# length of the gradient: sqrt(36 + 4 + 9) = sqrt(49)
length = math.sqrt(sum(x * x for x in g))
print(length)  # -> 7.0

# too long, so shrink everything by max_norm / length
scale = max_norm / length
print(round(scale, 4))  # -> 0.1429
clipped = [x * scale for x in g]
print([round(x, 4) for x in clipped])  # -> [0.8571, -0.2857, 0.4286]

# clipping keeps the direction, only the length changes
print(round(math.sqrt(sum(x * x for x in clipped)), 6))  # -> 1.0

# plain SGD: w - lr * g
new_w = [a - lr * b for a, b in zip(w, clipped)]
print(round(new_w[0], 4))  # -> 0.4143
print(round(new_w[1], 4))  # -> -1.2286
print(round(new_w[2], 4))  # -> 1.9571

# without clipping the first weight would have gone to
print(round(w[0] - lr * g[0], 4))  # -> -0.1
