"""Layer norm and RMS norm of one tiny vector, without any library.

I use this file in my onboarding talk. The comments show what Python prints.
"""
from math import sqrt

x = [2.0, 4.0, -1.0, 3.0]
n = len(x)

# mean and (population!) variance, as in torch.nn.LayerNorm
mean = sum(x) / n
print(mean)                                # 2.0

var = sum((v - mean) ** 2 for v in x) / n
print(var)                                 # 3.5
print(round(sqrt(var), 4))                 # 2.1602

# normalise
z = [(v - mean) / sqrt(var) for v in x]
print([round(v, 3) for v in z])            # [0.0, 1.069, -1.604, 0.535]
print(round(sum(v * v for v in z), 6))     # 4.0, as it must be

# scale and shift
gamma = [1.0, 1.0, 0.5, 2.0]
beta = [0.0, 0.1, 0.0, -0.3]
y = [g * v + b for g, v, b in zip(gamma, z, beta)]
print([round(v, 3) for v in y])            # [0.0, 1.169, -0.802, 0.769]

# RMS norm does not subtract the mean
ms = sum(v * v for v in x) / n
print(ms)                                  # 7.5
rms = sqrt(ms)
print(round(rms, 4))                       # 2.7386
print([round(v / rms, 3) for v in x])      # [0.73, 1.461, -0.365, 1.095]
