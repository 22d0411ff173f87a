"""Batch norm on one feature, four examples (exercise 5.2)."""
import math

batch = [2.0, 4.0, 6.0, 12.0]

mean = sum(batch) / len(batch)                             # 24 / 4 = 6.0
var = sum((b - mean) ** 2 for b in batch) / len(batch)     # (16 + 4 + 0 + 36) / 4 = 14.0
std = math.sqrt(var)                                       # 3.7417

normed = [(b - mean) / std for b in batch]
print([round(n, 3) for n in normed])   # [-1.069, -0.535, 0.0, 1.604]

# running statistics, momentum 0.1, starting from mean 0 and variance 1
run_mean = 0.9 * 0.0 + 0.1 * mean      # 0.60
run_var = 0.9 * 1.0 + 0.1 * var        # 2.30

# at test time x = 5 becomes
x_hat = (5.0 - run_mean) / math.sqrt(run_var)
print(round(x_hat, 3))                 # 1.913
