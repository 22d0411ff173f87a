"""One-way ANOVA on three fertilisers, done slowly.

    A: 20 22 19 23     sum 84   mean 21
    B: 25 27 24 28     sum 104  mean 26
    C: 21 20 24 19     sum 84   mean 21

grand total 84 + 104 + 84 = 272, grand mean 272 / 12 = 22.6667
"""

A = [20, 22, 19, 23]
B = [25, 27, 24, 28]
C = [21, 20, 24, 19]


def ss(v):
    m = sum(v) / len(v)
    return sum((t - m) ** 2 for t in v)


print(ss(A), ss(B), ss(C))
# A: 1 + 1 + 4 + 4 = 10
# B: 1 + 1 + 4 + 4 = 10
# C: 0 + 1 + 9 + 4 = 14
within = ss(A) + ss(B) + ss(C)      # 10 + 10 + 14 = 34
total = ss(A + B + C)               # sum of squares 6266 - 272**2 / 12 = 6266 - 6165.3333 = 100.6667
between = total - within            # 100.6667 - 34 = 66.6667

# degrees of freedom: 3 - 1 = 2 and 12 - 3 = 9
ms_b = between / 2                  # 33.3333
ms_w = within / 9                   # 34 / 9 = 3.7778
F = ms_b / ms_w                     # 33.3333 / 3.7778 = 8.82
eta2 = between / total              # 66.6667 / 100.6667 = 0.662

print(round(between, 4), round(F, 2), round(eta2, 3))
# the table says F(2, 9) = 4.26 at 5 percent, so B is different

# between again, straight from the means:
between2 = 2 * 4 * (21 - 272 / 12) ** 2 + 4 * (26 - 272 / 12) ** 2
# 8 * (5/3)**2 + 4 * (10/3)**2 = 200/9 + 400/9 = 600/9 = 66.6667
assert abs(between - between2) < 1e-9
