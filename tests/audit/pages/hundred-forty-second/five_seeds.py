# Is the new model better, or did we just get a lucky seed?
# -----------------------------------------------------------
# Validation accuracy in percent, five seeds each. Seed i shuffles the data in
# the same way for both models, so the runs come in pairs.
import numpy as np

baseline = np.array([71.2, 72.8, 70.9, 73.1, 72.0])
ours     = np.array([73.0, 74.1, 72.6, 74.9, 73.4])

# Means first.
print(f"{baseline.mean():.2f}")        # 72.00
print(f"{ours.mean():.2f}")            # 73.60

# Spread. With five runs it makes a difference whether you divide by n or by
# n - 1; we want n - 1, and numpy does not do that unless told to.
print(f"{baseline.std(ddof=1):.3f}")   # 0.962
print(f"{ours.std(ddof=1):.3f}")       # 0.817

# The spread is more than half the size of the gain. Should we worry? No, since
# we are allowed to look at the pairs.
diff = ours - baseline
print(diff.round(1))                   # [1.8 1.3 1.7 1.8 1.4]
print(f"{diff.mean():.2f}")            # 1.60
sd = diff.std(ddof=1)
print(f"{sd:.3f}")                     # 0.235

# A good part of the luck was shared and drops out. Standard error and t:
se = sd / np.sqrt(len(diff))
print(f"{se:.3f}")                     # 0.105
print(f"{diff.mean() / se:.1f}")       # 15.3

# 95% interval; 2.776 is the t quantile for 4 degrees of freedom.
half = 2.776 * se
print(f"{diff.mean() - half:.2f} .. {diff.mean() + half:.2f}")   # 1.31 .. 1.89
