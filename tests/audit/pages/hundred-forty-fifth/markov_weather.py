# Markov chain example from the tutorial (two states: sunny, rainy)
# Someone in the forum asked why the starting state "is forgotten",
# so here it is with numbers.

import numpy as np

P = np.array([[0.9, 0.1],
              [0.5, 0.5]])       # rows sum to 1

x = np.array([1.0, 0.0])         # day 0: sunny for sure
for day in range(1, 5):
    x = x @ P
    print(day, np.round(x, 4))
# 1 [0.9 0.1]
# 2 [0.86 0.14]
# 3 [0.844 0.156]
# 4 [0.8376 0.1624]

# Stationary distribution: pi_s * 0.1 = pi_r * 0.5, so pi_s = 5 * pi_r
pi = np.array([5, 1]) / 6
print(np.round(pi, 4))           # [0.8333 0.1667]
print(np.allclose(pi @ P, pi))   # True

# How fast? The second eigenvalue is trace - 1 = 0.9 + 0.5 - 1 = 0.4.
# The distance to pi shrinks by this factor every day:
print(round(1 - pi[0], 4))             # 0.1667  (day 0)
print(round(0.9 - pi[0], 4))           # 0.0667  (day 1)
print(round(0.8376 - pi[0], 4))        # 0.0043  (day 4)
print(round(0.4 ** 4, 4))              # 0.0256, and 0.0256 / 6 = 0.0043

# Entropy rate in bits: average the row entropies with the weights pi
H = -(P * np.log2(P)).sum(axis=1)
print(np.round(H, 3))            # [0.469 1.   ]
print(round(pi @ H, 4))          # 0.5575

# Expected number of sunny days in a 30-day month: 30 * 5/6 = 25
print(round(30 * pi[0], 1))      # 25.0
