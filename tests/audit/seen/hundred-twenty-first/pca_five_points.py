# PCA with five points and no sklearn.
# Companion code to the post "What does PCA actually compute?"

import math

points = [(2, 1), (3, 4), (5, 4), (6, 7), (9, 9)]
n = len(points)

# --- centre the cloud -------------------------------------------------
mx = sum(x for x, _ in points) / n   # 25/5 = 5.0
my = sum(y for _, y in points) / n   # 25/5 = 5.0
centred = [(x - mx, y - my) for x, y in points]
# (-3,-4) (-2,-1) (0,-1) (1,2) (4,4)

# --- covariance matrix (divide by n-1 = 4) ----------------------------
sxx = sum(x * x for x, y in centred) / (n - 1)   # (9+4+0+1+16)/4  = 30/4 = 7.5
syy = sum(y * y for x, y in centred) / (n - 1)   # (16+1+1+4+16)/4 = 38/4 = 9.5
sxy = sum(x * y for x, y in centred) / (n - 1)   # (12+2+0+2+16)/4 = 32/4 = 8.0

# --- eigenvalues of a symmetric 2x2: half trace +- root ---------------
trace = sxx + syy                 # 17.0
det = sxx * syy - sxy ** 2        # 71.25 - 64 = 7.25
root = math.sqrt(trace ** 2 - 4 * det)   # sqrt(289 - 29) = sqrt(260) = 16.1245
lam1 = (trace + root) / 2         # 16.5623
lam2 = (trace - root) / 2         # 0.4377

# --- how much of the variance does one direction explain? -------------
print(round(lam1 / trace, 4))     # 0.9743
# So 97.4 % of the spread lies on one line. Keep one number per point, throw the other away.

# --- the direction itself ---------------------------------------------
v = (sxy, lam1 - sxx)             # (8.0, 9.0623), not yet of length 1
length = math.hypot(*v)           # 12.0882
v = (v[0] / length, v[1] / length)
print([round(c, 4) for c in v])   # [0.6618, 0.7497]

# --- project ----------------------------------------------------------
scores = [x * v[0] + y * v[1] for x, y in centred]
print([round(s, 2) for s in scores])
# [-4.98, -2.07, -0.75, 2.16, 5.65]
