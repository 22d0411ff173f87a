# RoPE in forty lines. Goes with my post on why relative position "falls out" of rotations.
#
# Rotary embeddings turn each pair of coordinates of q and k by (position * theta).
# We use a single pair and theta = 0.5 rad, so position 3 means 1.5 rad.

from math import cos, sin

theta = 0.5


def rotate(v, pos):
    a = pos * theta
    return (v[0] * cos(a) - v[1] * sin(a),
            v[0] * sin(a) + v[1] * cos(a))


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1]


q, k = (1.0, 2.0), (3.0, -1.0)
print(dot(q, k))                 # 1*3 + 2*(-1) = 1.0, no positions yet

# The query stands at position 3:  cos 1.5 = 0.0707, sin 1.5 = 0.9975
q3 = rotate(q, 3)
print(round(q3[0], 3))           # 1*0.0707 - 2*0.9975 = -1.924
print(round(q3[1], 3))           # 1*0.9975 + 2*0.0707 =  1.139

# The key stands at position 1:    cos 0.5 = 0.8776, sin 0.5 = 0.4794
k1 = rotate(k, 1)
print(round(k1[0], 3))           # 3*0.8776 + 1*0.4794 =  2.153
print(round(k1[1], 3))           # 3*0.4794 - 1*0.8776 =  0.561

# Rotations keep lengths: |k|^2 = 9 + 1 = 10 before, and after
print(round(dot(k1, k1), 3))     # 10.0

# The score of the pair, and the same pair moved seven places to the right:
print(round(dot(q3, k1), 2))                          # -5.35
print(round(dot(rotate(q, 10), rotate(k, 8)), 2))     # -5.35

# Only the distance 3 - 1 = 2 matters: turn q by 2 * 0.5 = 1 rad and leave k alone.
print(round(dot(rotate(q, 2), k), 2))                 # -5.35
