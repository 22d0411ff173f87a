# Chapter 6, listing 6.2: least squares through the normal equations
#
# Four points, one straight line y = a + b*t. No library routine, so that you
# can follow every number with a pencil.
import numpy as np

t = np.array([0, 1, 2, 3])
y = np.array([1, 3, 4, 4])

X = np.column_stack([np.ones(4, dtype=int), t])

XtX = X.T @ X
print(XtX)
# [[ 4  6]
#  [ 6 14]]

Xty = X.T @ y
print(Xty)
# [12 24]

# Determinant and inverse of a 2x2 matrix, as in chapter 1:
det = XtX[0, 0] * XtX[1, 1] - XtX[0, 1] * XtX[1, 0]
print(det)
# 20           (4 * 14 - 6 * 6 = 56 - 36)

a = (XtX[1, 1] * Xty[0] - XtX[0, 1] * Xty[1]) / det
b = (XtX[0, 0] * Xty[1] - XtX[1, 0] * Xty[0]) / det
print(a, b)
# 1.5 1.0      a = (168 - 138) / 20,  b = (92 - 72) / 20

fit = a + b * t
res = y - fit
print(res)
# [-0.5  0.5  0.5 -0.5]      they add up to 0, as they must

ss_res = (res ** 2).sum()
ss_tot = ((y - y.mean()) ** 2).sum()
print(ss_res, ss_tot)
# 1.0 6.0      the mean of y is 3, so ss_tot = 4 + 0 + 1 + 1

print(round(1 - ss_res / ss_tot, 4))
# 0.8333       the line explains five sixths of the variance
