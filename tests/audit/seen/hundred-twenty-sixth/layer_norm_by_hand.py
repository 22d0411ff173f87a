# Layer normalisation, done the long way
# --------------------------------------
# No libraries today except for the square root. The activations of one token:

from math import sqrt

x = [2.0, 4.0, 4.0, 10.0]

mean = sum(x) / len(x)
print(mean)                             # 5.0

deviations = [xi - mean for xi in x]
print(deviations)                       # [-3.0, -1.0, -1.0, 5.0]

# The squares are 9, 1, 1 and 25; they add up to 36.
variance = sum(d * d for d in deviations) / len(x)
print(variance)                         # 9.0

# (The small epsilon that real programs add under the root is left out here.)
std = sqrt(variance)
print(std)                              # 3.0

normed = [d / std for d in deviations]
print([round(n, 4) for n in normed])    # [-1.0, -0.3333, -0.3333, 1.6667]

# Mean 0 and variance 1, as promised:
print(round(sum(n * n for n in normed) / 4, 4))    # 1.0

# Each place has a gain and a shift of its own, which are learned.
gain = [1.0, 2.0, 1.0, 0.5]
shift = [0.0, 1.0, 0.0, -1.0]
y = [g * n + s for g, n, s in zip(gain, normed, shift)]
print([round(yi, 4) for yi in y])       # [-1.0, 0.3333, -0.3333, -0.1667]

# Multiply all inputs by 10: mean 50, standard deviation 30, and the same result.
x10 = [10 * xi for xi in x]
m10 = sum(x10) / 4
s10 = sqrt(sum((xi - m10) ** 2 for xi in x10) / 4)
print(m10, s10)                         # 50.0 30.0
print(round((x10[3] - m10) / s10, 4))   # 1.6667
