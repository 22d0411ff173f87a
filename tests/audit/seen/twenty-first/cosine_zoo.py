"""Cosine similarity on a tiny zoo.

I made the vectors up: (furry, big, swims). Run the file and
compare with the comments, which I pasted in from my terminal.
"""
import math

cat = (4, 1, 0)
lion = (4, 3, 0)
whale = (0, 5, 5)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def norm(a):
    return math.sqrt(dot(a, a))


def cosine(a, b):
    return dot(a, b) / (norm(a) * norm(b))


# dot products first: 4*4 + 1*3 + 0*0 = 19 for the two cats
print(dot(cat, lion))  # -> 19
print(dot(lion, whale))  # -> 15
# the lion's vector is a 3-4-5 triangle
print(norm(lion))  # -> 5.0
print(round(norm(cat), 3))  # -> 4.123
print(round(norm(whale), 3))  # -> 7.071
# and now the angles
print(round(cosine(cat, lion), 3))  # -> 0.922
print(round(cosine(lion, whale), 3))  # -> 0.242
print(round(cosine(cat, whale), 3))  # -> 0.171
