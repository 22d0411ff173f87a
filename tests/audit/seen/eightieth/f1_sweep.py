"""Threshold sweep for the spam filter, tiny validation set (blog post companion script)."""

scores = [0.95, 0.90, 0.82, 0.70, 0.66, 0.51, 0.40, 0.33, 0.20, 0.05]
labels = [1, 1, 0, 1, 1, 0, 1, 0, 0, 0]


def prf(t):
    tp = sum(1 for s, y in zip(scores, labels) if s >= t and y == 1)
    fp = sum(1 for s, y in zip(scores, labels) if s >= t and y == 0)
    fn = sum(1 for s, y in zip(scores, labels) if s < t and y == 1)
    p, r = tp / (tp + fp), tp / (tp + fn)
    return tp, fp, fn, round(p, 3), round(r, 3), round(2 * p * r / (p + r), 3)


print(prf(0.85))   # (2, 0, 3, 1.0, 0.4, 0.571)
print(prf(0.60))   # (4, 1, 1, 0.8, 0.8, 0.8)
print(prf(0.50))   # (4, 2, 1, 0.667, 0.8, 0.727)
print(prf(0.35))   # (5, 2, 0, 0.714, 1.0, 0.833)

# so t = 0.35 wins on F1 here, although 0.60 has the better precision:
print(5 / 7)                       # 0.7143
print(4 / 5)                       # 0.8

# micro check of F1 at 0.60 with the count formula 2tp / (2tp + fp + fn)
print(2 * 4 / (2 * 4 + 1 + 1))     # 0.8

# average precision: mean of the precision at each true positive
hits = [1 / 1, 2 / 2, 3 / 4, 4 / 5, 5 / 7]
print(sum(hits) / 5)               # 0.8529

# mean score of spam and of ham
print((0.95 + 0.90 + 0.70 + 0.66 + 0.40) / 5)   # 0.722
print((0.82 + 0.51 + 0.33 + 0.20 + 0.05) / 5)   # 0.382
