"""Skip-gram with negative sampling, one training pair, all numbers by hand.

centre word "coffee", context word "cup", two negatives: "river", "law"
"""
from math import exp, log

v = [0.5, -0.2, 0.8]          # coffee (input vector)
cup = [0.4, 0.1, 0.9]         # output vectors
river = [-0.3, 0.6, 0.1]
law = [0.7, -0.5, 0.2]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def sigmoid(x):
    return 1 / (1 + exp(-x))


# scores
s_cup = dot(v, cup)           # 0.20 - 0.02 + 0.72 = 0.90
s_river = dot(v, river)       # -0.15 - 0.12 + 0.08 = -0.19
s_law = dot(v, law)           # 0.35 + 0.10 + 0.16 = 0.61

# the positive pair should score high, the negatives low
l_cup = -log(sigmoid(s_cup))          # 0.3412
l_river = -log(sigmoid(-s_river))     # 0.6027
l_law = -log(sigmoid(-s_law))         # 1.0440
loss = l_cup + l_river + l_law
print(f"{loss:.4f}")                  # 1.3852

# gradient with respect to v: (sigmoid - label) * output vector, summed
g_cup = sigmoid(s_cup) - 1            # -0.2891
g_river = sigmoid(s_river)            # 0.4526
g_law = sigmoid(s_law)                # 0.6479
grad = [g_cup * a + g_river * b + g_law * c for a, b, c in zip(cup, river, law)]
print([round(g, 4) for g in grad])    # [0.2021, -0.0813, -0.0853]
