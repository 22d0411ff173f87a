"""Dot products for people who skipped linear algebra.

Run it and compare with the comments:  python dot_products.py
"""


def dot(a, b):
    assert len(a) == len(b)
    return sum(x * y for x, y in zip(a, b))


def scale(c, a):
    return [c * x for x in a]


def add(a, b):
    return [x + y for x, y in zip(a, b)]


u = [1, -3, 2]
v = [4, 0, -1]
w = [2, 2, 5]

print(dot(u, v))                    # 1*4 + (-3)*0 + 2*(-1) = 2
print(dot(u, w))                    # 1*2 + (-3)*2 + 2*5 = 6
print(dot(v, w))                    # 4*2 + 0*2 + (-1)*5 = 13
print(dot(u, u))                    # 1 + 9 + 4 = 14, the squared length

# the dot product is linear in each argument:
print(dot(u, add(v, w)))            # 2 + 6 = 8
print(dot(scale(10, u), v))         # 10 * 2 = 20

# perpendicular vectors give zero
print(dot([2, 1], [-3, 6]))         # -6 + 6 = 0

# a "score" is nothing but a dot product, so one query against three keys is
q = [0.5, 1.0, -0.5]
print([dot(q, k) for k in (u, v, w)])    # [-3.5, 2.5, 0.5]
