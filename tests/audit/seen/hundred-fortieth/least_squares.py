# Straight line through five points, first with the normal equations,
# then one step of gradient descent, so that you see both give the same direction.

x = [1, 2, 3, 4, 6]                  # hours of practice
y = [2.1, 2.9, 4.2, 4.8, 7.0]        # score
n = len(x)

sx = sum(x)                                   # 16
sy = sum(y)                                   # 21.0
sxx = sum(a * a for a in x)                   # 1 + 4 + 9 + 16 + 36 = 66
sxy = sum(a * b for a, b in zip(x, y))        # 2.1 + 5.8 + 12.6 + 19.2 + 42.0 = 87.1

#   [ n   sx  ] [b]   [sy ]
#   [ sx  sxx ] [m] = [sxy]
det = n * sxx - sx * sx                       # 330 - 256 = 74
m = (n * sxy - sx * sy) / det                 # (408.5 - 336) / 74
b = (sxx * sy - sx * sxy) / det
print(f"slope {m:.4f}, intercept {b:.4f}")    # slope 0.9797, intercept 1.0649

res = [yi - (b + m * xi) for xi, yi in zip(x, y)]
print([f"{r:.3f}" for r in res])              # ['0.055', '-0.124', '0.196', '-0.184', '0.057']

sse = sum(r * r for r in res)
mean = sy / n                                 # 4.2
sst = sum((yi - mean) ** 2 for yi in y)       # 4.41 + 1.69 + 0 + 0.36 + 7.84 = 14.30
print(f"SSE {sse:.4f}  R2 {1 - sse / sst:.4f}")   # SSE 0.0939  R2 0.9934

# gradient descent on the mean squared error, start at m = b = 0, rate 0.02
gm = -2 / n * sxy
gb = -2 / n * sy                              # -0.4 * 21 = -8.4
m1, b1 = -0.02 * gm, -0.02 * gb
print(f"{m1:.4f} {b1:.4f}")                   # 0.6536 0.1680
