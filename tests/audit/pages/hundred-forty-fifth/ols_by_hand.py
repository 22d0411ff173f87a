"""Least squares by hand (statistics sheet 3, problem 1)."""

x = [1, 2, 3, 4, 5]
y = [2.1, 3.9, 6.2, 7.8, 10.1]
n = len(x)

mx = sum(x) / n
my = sum(y) / n
print(mx, round(my, 2))                 # 3.0 6.02

sxx = sum((a - mx) ** 2 for a in x)     # 4 + 1 + 0 + 1 + 4
sxy = sum((a - mx) * (b - my) for a, b in zip(x, y))
print(sxx, round(sxy, 2))               # 10.0 19.9

slope = sxy / sxx
intercept = my - slope * mx             # 6.02 - 1.99 * 3
print(round(slope, 2), round(intercept, 2))   # 1.99 0.05

fit = [intercept + slope * a for a in x]
res = [b - f for b, f in zip(y, fit)]
print([round(f, 2) for f in fit])       # [2.04, 4.03, 6.02, 8.01, 10.0]
print([round(r, 2) for r in res])       # [0.06, -0.13, 0.18, -0.21, 0.1]

# residuals must add up to zero: 0.06 - 0.13 + 0.18 - 0.21 + 0.1 = 0
sse = sum(r * r for r in res)           # 0.0036 + 0.0169 + 0.0324 + 0.0441 + 0.01
sst = sum((b - my) ** 2 for b in y)
print(round(sse, 3), round(sst, 3))     # 0.107 39.708
print(round(1 - sse / sst, 4))          # R^2: 0.9973

# unbiased estimate of the noise variance has n - 2 = 3 in the denominator
print(round(sse / (n - 2), 4))          # 0.0357

# ridge with lambda = 2 (intercept not penalised) only changes the denominator
print(round(sxy / (sxx + 2), 4))        # 1.6583
