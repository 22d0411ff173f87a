# king - man + woman = ?      The toy version, 3-d vectors I can draw.
# axes: royal, male, person
from math import sqrt

E = {
    "king":   (0.9, 0.8, 0.7),
    "queen":  (0.9, -0.7, 0.8),
    "man":    (0.1, 0.9, 0.8),
    "woman":  (0.0, -0.8, 0.9),
    "crown":  (1.0, 0.1, -0.4),
}


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


def cos(a, b):
    return dot(a, b) / sqrt(dot(a, a) * dot(b, b))


print(round(dot(E["king"], E["king"]), 2))     # 1.94  = 0.81 + 0.64 + 0.49
print(round(dot(E["king"], E["queen"]), 2))    # 0.81  = 0.81 - 0.56 + 0.56
print(round(cos(E["king"], E["queen"]), 3))    # 0.418
print(round(cos(E["man"], E["woman"]), 3))     # 0.0, -0.72 and 0.72 cancel
print(round(cos(E["king"], E["man"]), 3))      # 0.814

t = tuple(k - m + w for k, m, w in zip(E["king"], E["man"], E["woman"]))
print([round(c, 2) for c in t])                # [0.8, -0.9, 0.8]

# now rank everything, question words included
for s, word in sorted(((cos(t, v), word) for word, v in E.items()), reverse=True):
    print(f"{word:6s} {s:.3f}")
# queen  0.988
# woman  0.827
# king   0.278
# crown  0.249
# man    -0.052

# The winner is queen. People usually leave out the three question words before ranking; here that
# makes no difference for first place.
