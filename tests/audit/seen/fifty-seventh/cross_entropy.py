"""Cross-entropy and its gradient, for three classes.

Logits (2, 1, -1), right class is number 1 (the middle one).
softmax   -> 0.7054  0.2595  0.0351
loss      -> 1.3490
gradient  -> 0.7054  -0.7405  0.0351   (softmax minus one-hot)
"""
import numpy as np

# seeds tried: 0, 1, 2, 1337 - makes no difference, there is nothing random in here
LR = 1.0  # anything from 0.1 to 3.0 goes downhill from here

z = np.array([2.0, 1.0, -1.0])
p = np.exp(z) / np.exp(z).sum()
y = np.array([0.0, 1.0, 0.0])
g = p - y

print(p.round(4))
print(round(-np.log(p[1]), 4))
print(abs(g.sum()) < 1e-12)  # True: the gradient sums to zero

# one step downhill
z2 = z - LR * g
p2 = np.exp(z2) / np.exp(z2).sum()
print(z2.round(4))                 # new logits 1.2946, 1.7405, -1.0351
print(round(-np.log(p2[1]), 4))    # loss is now 0.5321
# Guessing uniformly costs ln 3 = 1.0986, so we started out worse than that
# and after a single step we are better. (Numpy 1.24 and 1.26 agree; Python 3.9-3.12.)
