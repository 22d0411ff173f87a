"""Dot products and scaled scores, the long way round.

Every comment behind an arrow is what I get on my machine.
"""
import math

q = [1.5, -0.5, 2.0, 0.0]
k1 = [2.0, 1.0, 0.5, 3.0]
k2 = [-1.0, 4.0, 1.0, 1.0]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def norm(a):
    return math.sqrt(dot(a, a))


# q.k1 = 1.5*2.0 - 0.5*1.0 + 2.0*0.5 + 0.0*3.0
print(dot(q, k1))                       # -> 3.5
# q.k2 = 1.5*(-1.0) - 0.5*4.0 + 2.0*1.0 + 0.0*1.0
print(dot(q, k2))                       # -> 1.5

# scaled by the square root of the dimension, sqrt(4) = 2
print(dot(q, k1) / 2)                   # -> 1.75
print(dot(q, k2) / 2)                   # -> -0.75

# lengths
print(round(norm(q), 4))                # -> 2.5495
print(round(norm(k1), 4))               # -> 3.7749
print(round(norm(k2), 4))               # -> 4.3589

# the cosine does not care about scale
c = dot(q, k1) / (norm(q) * norm(k1))
print(round(c, 4))                      # -> 0.3637
