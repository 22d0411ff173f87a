# %% PCA on two features, no numpy
# Onboarding exercise: latency and queue depth of five requests. Do it on paper first, then run the cells.

from math import sqrt, atan2, degrees

pts = [(2, 1), (4, 3), (5, 2), (7, 6), (12, 8)]
n = len(pts)

# %% centre
mx = sum(p[0] for p in pts) / n
my = sum(p[1] for p in pts) / n
print(mx, my)                   # 6.0 4.0
ctr = [(a - mx, b - my) for a, b in pts]
# [(-4.0, -3.0), (-2.0, -1.0), (-1.0, -2.0), (1.0, 2.0), (6.0, 4.0)]

# %% covariance, divisor n - 1 = 4
sxx = sum(a * a for a, _ in ctr) / (n - 1)      # 58.0 / 4 = 14.5
syy = sum(b * b for _, b in ctr) / (n - 1)      # 34.0 / 4 = 8.5
sxy = sum(a * b for a, b in ctr) / (n - 1)      # 42.0 / 4 = 10.5

# %% eigenvalues from trace and determinant
tr = sxx + syy                  # 23.0
det = sxx * syy - sxy ** 2      # 13.0
disc = sqrt(tr ** 2 - 4 * det)
l1, l2 = (tr + disc) / 2, (tr - disc) / 2
print(round(disc, 4))           # 21.8403
print(round(l1, 4), round(l2, 4))   # 22.4202 0.5798

# %% explained variance
print(round(l1 / tr, 4))        # 0.9748, the second axis is mostly noise

# %% first direction: (S - l1 I) v = 0  ->  v ~ (sxy, l1 - sxx)
vx, vy = sxy, l1 - sxx
norm = sqrt(vx * vx + vy * vy)
vx, vy = vx / norm, vy / norm
print(round(vx, 4), round(vy, 4))           # 0.7983 0.6022
print(round(degrees(atan2(vy, vx)), 1))     # 37.0

# %% scores of the five requests on the first axis, they sum to zero
scores = [round(a * vx + b * vy, 3) for a, b in ctr]
print(scores)
# [-5.0, -2.199, -2.003, 2.003, 7.199]

# %% correlation, for comparison
print(round(sxy / sqrt(sxx * syy), 4))      # 0.9458
