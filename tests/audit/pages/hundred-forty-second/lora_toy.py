"""LoRA on a matrix you can print.

Companion code for the post "Fine-tuning without touching the weights".
Run it, or just read the comments: they show what it prints.
"""
import numpy as np

# A frozen 3x4 weight matrix ...
W = np.array([[ 0.5, -1.0,  0.2, 0.0],
              [ 0.3,  0.8, -0.4, 1.0],
              [-0.6,  0.1,  0.9, 0.7]])

# ... and a rank-1 adapter. alpha / r is the usual LoRA scale.
A = np.array([[1.0, -2.0, 0.5, 0.3]])      # r x in
B = np.array([[0.2], [-0.1], [0.4]])       # out x r
alpha, r = 2, 1
scale = alpha / r                          # 2.0

print(scale * B @ A)
# [[ 0.4  -0.8   0.2   0.12]
#  [-0.2   0.4  -0.1  -0.06]
#  [ 0.8  -1.6   0.4   0.24]]

# At deployment we merge the two, and inference costs nothing extra.
merged = W + scale * B @ A
print(merged)
# [[ 0.9  -1.8   0.4   0.12]
#  [ 0.1   1.2  -0.5   0.94]
#  [ 0.2  -1.5   1.3   0.84]]

# While training we keep them apart. Both roads lead to the same output:
x = np.array([1.0, 2.0, -1.0, 0.5])
print((W @ x).round(2))                    # [-1.7   2.8  -0.95]
print((A @ x).round(2))                    # [-3.35]
print((W @ x + scale * B @ (A @ x)).round(2))   # [-3.04  3.47 -3.63]

# Why bother? In a real layer, 1024 x 1024 with r = 8:
d, r = 1024, 8
print(d * d)                               # 1048576
print(2 * d * r)                           # 16384
print(f"{2 * d * r / (d * d):.2%}")        # 1.56%
