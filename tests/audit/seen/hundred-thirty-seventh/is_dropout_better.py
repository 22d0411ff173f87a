# Is the model with dropout really better? Five seeds each, test accuracy in percent.
# (Week 9, "statistics you should do before you write the abstract".)
from math import sqrt
from statistics import mean, stdev

plain = [81.2, 82.0, 80.6, 81.8, 81.4]
dropout = [82.1, 82.4, 81.7, 82.9, 81.9]     # same seeds, same order

print(f"{mean(plain):.2f} {mean(dropout):.2f}")      # 81.40 82.20
print(f"{stdev(plain):.3f} {stdev(dropout):.3f}")    # 0.548 0.469   (n - 1 in the denominator)

# The seeds are shared, so look at the differences, not at two separate clouds.
diff = [d - p for p, d in zip(plain, dropout)]
print([round(x, 1) for x in diff])    # [0.9, 0.4, 1.1, 1.1, 0.5]

m = mean(diff)
s = stdev(diff)
se = s / sqrt(5)
print(f"{m:.2f} {s:.4f} {se:.4f}")    # 0.80 0.3317 0.1483

# s by hand: the deviations from 0.8 are 0.1, -0.4, 0.3, 0.3, -0.3; their squares sum to
# 0.01 + 0.16 + 0.09 + 0.09 + 0.09 = 0.44, and sqrt(0.44 / 4) = sqrt(0.11) = 0.3317

t = m / se
print(f"t = {t:.2f}")                 # t = 5.39

# 97.5 % quantile of Student's t with 4 degrees of freedom, from the table: 2.776
half = 2.776 * se
print(f"{m - half:.2f} to {m + half:.2f}")    # 0.39 to 1.21

# Zero is not in the interval, and t is larger than 2.776: fine, say that it helps.
# But do report the interval. "0.8 points better" alone hides that it could as well be half of that.
