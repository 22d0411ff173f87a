# Gradient clipping, with numbers that come out even.
#
# Two tensors, one norm: clipping looks at ALL gradients together.

import math

grads = {"w": [3.0, -4.0], "b": [12.0]}


def total_norm(gs):
    return math.sqrt(sum(v * v for g in gs.values() for v in g))


def clip(gs, limit):
    scale = min(1.0, limit / total_norm(gs))
    return {k: [v * scale for v in g] for k, g in gs.items()}


# 9 + 16 + 144 = 169, and the root of that:
print(total_norm(grads))                       # 13.0

# limit 6.5 is half of it, so everything is halved
print(clip(grads, 6.5))                        # {'w': [1.5, 2.0], 'b': [6.0]}

# a limit above the norm changes nothing
print(clip(grads, 20.0) == grads)              # True

# limit 1: 3/13 = 0.2308, 4/13 = 0.3077, 12/13 = 0.9231
one = clip(grads, 1.0)
print([round(v, 4) for v in one["w"] + one["b"]])   # [0.2308, -0.3077, 0.9231]
print(round(total_norm(one), 6))               # 1.0

# Clipping by VALUE at 5 is different: (3, -4, 12) becomes (3, -4, 5), with
# norm sqrt(9 + 16 + 25) = sqrt(50) = 7.071, and the direction changes.
byval = {k: [max(-5.0, min(5.0, v)) for v in g] for k, g in grads.items()}
print(round(total_norm(byval), 3))             # 7.071

# cosine between before and after: (9 + 16 + 60) / (13 * 7.071) = 85 / 91.92
print(round(85 / (13 * math.sqrt(50)), 4))     # 0.9247
