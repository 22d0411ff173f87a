# One query, four keys. I use this in the onboarding session: first on paper, then here.
import numpy as np

np.set_printoptions(precision=4, suppress=True)

q = np.array([1.0, -1.0, 2.0, 0.5])
K = np.array([[ 0.5,  0.0,  1.0,  1.0],
              [-1.0,  1.0,  0.5,  0.0],
              [ 2.0, -0.5,  0.5,  1.0],
              [ 0.0,  0.5, -1.0,  2.0]])
V = np.array([[1.0, 0.0],
              [0.0, 2.0],
              [3.0, 1.0],
              [4.0, 4.0]])

raw = K @ q
print(raw)                  # [ 3.  -1.   4.  -1.5]
s = raw / np.sqrt(4)
print(s)                    # [ 1.5  -0.5   2.   -0.75]
w = np.exp(s) / np.exp(s).sum()
print(w)                    # [0.3461 0.0468 0.5706 0.0365]
print(w @ V)                # [2.2038 0.8102]

# causal: the last key lies in the future, so it is masked and the others share its weight
s[3] = -np.inf
w = np.exp(s) / np.exp(s).sum()
print(w)                    # [0.3592 0.0486 0.5706 0.    ]
print(w @ V)                # [2.1358 0.6894]

# a higher temperature (2) on the three scores that are left
t = s[:3] / 2
w = np.exp(t) / np.exp(t).sum()
print(w)                    # [0.3771 0.1387 0.4842]
print(w.max() / w.min())    # 3.49
