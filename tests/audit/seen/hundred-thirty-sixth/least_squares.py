# Re: "linear regression without sklearn, how do I check my result?"
#
# Do it once with the sums, once with the normal equations. Must agree.
import numpy as np

x = np.array([1, 2, 3, 4, 5])
y = np.array([2.1, 2.9, 4.2, 4.8, 6.0])

# --- 1. with sums ---------------------------------------------------
print(x.mean(), round(float(y.mean()), 4))  # 3.0 4.0
sxx = ((x - x.mean()) ** 2).sum()
sxy = ((x - x.mean()) * (y - y.mean())).sum()
print(sxx, round(float(sxy), 4))  # 10.0 9.7
slope = sxy / sxx
icept = y.mean() - slope * x.mean()
print(round(float(slope), 4), round(float(icept), 4))  # 0.97 1.09

# --- 2. normal equations (X^T X) beta = X^T y -----------------------
X = np.column_stack([np.ones(5), x])
print(X.T @ X)
# [[ 5. 15.]
#  [15. 55.]]
print((X.T @ y).round(4))  # [20.  69.7]
print(round(float(np.linalg.det(X.T @ X)), 4))  # 50.0
beta = np.linalg.solve(X.T @ X, X.T @ y)
print(beta.round(4))  # [1.09 0.97]

# same thing, good.

# --- 3. how good is the fit? ----------------------------------------
res = y - X @ beta
print(res.round(4))  # [ 0.04 -0.13  0.2  -0.17  0.06]
sse = (res ** 2).sum()
sst = ((y - y.mean()) ** 2).sum()
print(round(float(sse), 4), round(float(sst), 4))  # 0.091 9.5
print(round(float(1 - sse / sst), 4))  # 0.9904
# prediction for x = 6
print(round(float(icept + 6 * slope), 4))  # 6.91
