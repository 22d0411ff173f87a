"""Loss functions on three small examples (seminar 4, autumn 2023)."""
import math

y = [3.0, -0.5, 2.0, 7.0]
p = [2.5, 0.0, 2.0, 8.0]

errors = [a - b for a, b in zip(p, y)]
print(errors)                                   # [-0.5, 0.5, 0.0, 1.0]

mse = sum(e * e for e in errors) / len(errors)
print(mse)                                      # 0.375
mae = sum(abs(e) for e in errors) / len(errors)
print(mae)                                      # 0.5
print(round(math.sqrt(mse), 4))                 # 0.6124

# Huber with delta = 0.8: quadratic up to 0.8, linear beyond it
delta = 0.8
huber = [0.5 * e * e if abs(e) <= delta else delta * (abs(e) - 0.5 * delta) for e in errors]
print([round(h, 3) for h in huber])             # [0.125, 0.125, 0.0, 0.48]

# binary cross-entropy, labels 1, 0, 1
probs, labels = [0.9, 0.3, 0.6], [1, 0, 1]
bce = [-math.log(q if t == 1 else 1 - q) for q, t in zip(probs, labels)]
print([round(b, 4) for b in bce])               # [0.1054, 0.3567, 0.5108]
print(round(sum(bce) / 3, 4))                   # 0.3423

# hinge loss for a score of 0.3 and label -1: max(0, 1 + 0.3) = 1.3
print(max(0.0, 1 - (-1) * 0.3))                 # 1.3
