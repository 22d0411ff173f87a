# 17 Oct - label smoothing, is our loss the same as theirs?
import numpy as np

eps, K = 0.1, 4
target = np.full(K, eps / K)
target[0] += 1 - eps
target                          # array([0.925, 0.025, 0.025, 0.025])

p = np.array([0.70, 0.15, 0.10, 0.05])
logp = np.log(p)
logp.round(4)                   # array([-0.3567, -1.8971, -2.3026, -2.9957])

hard = -logp[0]
smooth = -(target * logp).sum()
print(f"{hard:.4f} {smooth:.4f}")   # 0.3567 0.4098

entropy = -(p * logp).sum()
print(f"{entropy:.4f}")         # 0.9143
kl = np.log(K) - entropy        # distance from uniform
print(f"{kl:.4f}")              # 0.4720
