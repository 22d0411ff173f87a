# Nearest neighbours in a four-dimensional toy embedding.
# Used in the README to explain why we normalise before indexing.

import math

EMB = {
    "king": (3, 1, 2, 0),
    "queen": (3, 2, 2, 1),
    "duke": (6, 2, 4, 1),
    "cabbage": (0, 1, -1, 4),
}


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


def cosine(a, b):
    return dot(a, b) / math.sqrt(dot(a, a) * dot(b, b))


# Dot products with "king":  queen 15,  duke 26,  cabbage -1
# Cosines with "king":       queen 0.9449,  duke 0.9912,  cabbage -0.0630
# Squared norms:             king 14,  queen 18,  duke 57,  cabbage 18
#
# "duke" is nearly "king" times two; the dot product rewards the length, the cosine does not.
# For "queen" the nearest neighbour by cosine is duke (0.9678), with king just behind.
# Angle between king and queen: 19.1 degrees; between queen and cabbage: 77.2 degrees.

for name, vec in EMB.items():
    print(name, round(cosine(EMB["king"], vec), 4))
