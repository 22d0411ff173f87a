# PCA on four points, nothing but math.sqrt. I keep this file around to check other people's PCA.
from math import sqrt

pts = [(1, 2), (3, 3), (5, 8), (7, 7)]
n = len(pts)

mx = sum(x for x, _ in pts) / n     # 16/4 = 4.0
my = sum(y for _, y in pts) / n     # 20/4 = 5.0

# centred: (-3, -3), (-1, -2), (1, 3), (3, 2)
# covariance with 1/n (sklearn uses 1/(n-1); the directions are the same)
sxx = sum((x - mx) ** 2 for x, _ in pts) / n              # (9 + 1 + 1 + 9)/4 = 5.0
syy = sum((y - my) ** 2 for _, y in pts) / n              # (9 + 4 + 9 + 4)/4 = 6.5
sxy = sum((x - mx) * (y - my) for x, y in pts) / n        # (9 + 2 + 3 + 6)/4 = 5.0

trace = sxx + syy               # 11.5
det = sxx * syy - sxy ** 2      # 32.5 - 25 = 7.5
root = sqrt(trace ** 2 - 4 * det)   # sqrt(132.25 - 30) = sqrt(102.25) = 10.111874

l1 = (trace + root) / 2         # 10.80594
l2 = (trace - root) / 2         # 0.69406
share = l1 / trace              # 0.9396, so one direction has 94 % of the variance

# eigenvector for l1: (sxy, l1 - sxx) = (5, 5.80594), then normalise
length = sqrt(sxy ** 2 + (l1 - sxx) ** 2)    # 7.6622
u = (sxy / length, (l1 - sxx) / length)      # (0.6526, 0.7577)

# scores = projections of the centred points
scores = [(x - mx) * u[0] + (y - my) * u[1] for x, y in pts]
print([round(s, 2) for s in scores])
# [-4.23, -2.17, 2.93, 3.47]
