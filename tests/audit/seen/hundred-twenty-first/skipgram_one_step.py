#!/usr/bin/env python3
"""
word2vec, one training step, no magic
-------------------------------------
Skip-gram with negative sampling. Centre word "coffee", true context word "cup",
two random negatives "tax" and "giraffe". Vectors have 3 entries instead of 300.
"""
from math import exp, log


def sigmoid(x):
    return 1 / (1 + exp(-x))


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


coffee = [0.5, -0.2, 0.8]      # centre vector v
cup = [0.9, 0.4, 0.6]          # context vectors u
tax = [0.3, -0.5, 0.7]
giraffe = [-0.6, 0.2, -0.4]

# How well do they match right now?
s_cup = dot(coffee, cup)          # 0.45 - 0.08 + 0.48 = 0.85
s_tax = dot(coffee, tax)          # 0.15 + 0.10 + 0.56 = 0.81   (oops, tax and coffee are close)
s_gir = dot(coffee, giraffe)      # -0.30 - 0.04 - 0.32 = -0.66

# We want sigmoid(score) near 1 for the true pair, sigmoid(-score) near 1 for negatives.
p_cup = sigmoid(s_cup)            # sigmoid(0.85)  = 0.7006
p_tax = sigmoid(-s_tax)           # sigmoid(-0.81) = 0.6921
p_gir = sigmoid(-s_gir)           # sigmoid(0.66)  = 0.6593

loss = -log(p_cup) - log(p_tax) - log(p_gir)
print(loss)                       # 0.3559 + 1.1780 + 0.4166 = 1.9505

# The gradient for "cup" is (sigmoid(score) - 1) * v, a negative multiple of v ...
g = p_cup - 1                     # -0.2994
grad_cup = [g * c for c in coffee]
print(grad_cup)                   # [-0.1497, 0.0599, -0.2395]

# ... so with learning rate 0.1, cup moves a little towards coffee:
cup = [c - 0.1 * d for c, d in zip(cup, grad_cup)]
print(cup)                        # [0.9150, 0.3940, 0.6240]
print(dot(coffee, cup))           # 0.8778, up from 0.85
