# RoPE on a single pair of features, no framework needed.
from math import cos, sin

theta = 0.5

def rotate(x, y, pos):
    a = pos * theta
    return round(x * cos(a) - y * sin(a), 4), round(x * sin(a) + y * cos(a), 4)

print(rotate(1.0, 2.0, 0))   # (1.0, 2.0)
print(rotate(1.0, 2.0, 1))   # (-0.0813, 2.2346)
print(rotate(1.0, 2.0, 4))   # (2.2347, 0.077)

# scores depend on the distance only
def score(m, n):
    q, k = rotate(1.0, 2.0, m), rotate(3.0, -1.0, n)
    return round(q[0] * k[0] + q[1] * k[1], 3)

print(score(2, 5))   # 7.053
print(score(6, 9))   # 7.053
