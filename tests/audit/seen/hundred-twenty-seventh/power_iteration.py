# Power iteration on a 2x2 matrix, for the linear algebra refresher.
#
# A = [[4, 1],
#      [2, 3]]
#
# trace 7, determinant 4*3 - 1*2 = 10, so the eigenvalues solve
# t^2 - 7t + 10 = 0, i.e. t = 5 and t = 2.

A = [[4, 1], [2, 3]]


def matvec(M, x):
    return [sum(m * xi for m, xi in zip(row, x)) for row in M]


x = [1.0, 0.0]
log = []
for step in range(1, 6):
    y = matvec(A, x)
    lam = y[0]                 # x[0] is always 1, so this is our estimate
    x = [yi / y[0] for yi in y]
    log.append((lam, x[1]))
    print(step, round(lam, 4), round(x[1], 4))

# step  estimate  x[1]
# 1 4.0 0.5
# 2 4.5 0.7778
# 3 4.7778 0.907
# 4 4.907 0.9621
# 5 4.9621 0.9847

# The eigenvector for t = 5 is (1, 1): 4*1 + 1*1 = 5 and 2*1 + 3*1 = 5.
# The error of x[1] should shrink by about 2/5 = 0.4 per step:
errors = [1 - second for _, second in log]
ratios = [b / a for a, b in zip(errors, errors[1:])]
print([round(r, 3) for r in ratios])
# [0.444, 0.419, 0.408, 0.403]
