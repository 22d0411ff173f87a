"""Softmax + cross-entropy in plain numpy, explained for my future self.

Three training examples, three classes. Run it and compare with the comments.
"""
import numpy as np

np.set_printoptions(precision=4, suppress=True)

logits = np.array([
    [2.0, 1.0,  0.1],
    [0.5, 2.5, -1.0],
    [1.2, 0.3,  0.9],
])
target = np.array([0, 1, 2])

# 1. exponentials and their row sums
exps = np.exp(logits)
print(exps.sum(axis=1))
# [11.2125 14.1991  7.1296]

# 2. divide: every row is now a probability distribution
probs = exps / exps.sum(axis=1, keepdims=True)
print(probs)
# [[0.659  0.2424 0.0986]
#  [0.1161 0.858  0.0259]
#  [0.4657 0.1893 0.345 ]]
# Rows 0 and 1 are fine, row 2 prefers class 0 although the target is 2. Bad row!

# 3. the loss of each example is -log(probability of the right class)
loss = -np.log(probs[np.arange(3), target])
print(loss)         # [0.417  0.1532 1.0643]
print(loss.mean())  # 0.4086  <- most of it comes from the bad row

# 4. the famous gradient: probabilities minus one-hot
grad = probs.copy()
grad[np.arange(3), target] -= 1
print(grad)
# [[-0.341   0.2424  0.0986]
#  [ 0.1161 -0.142   0.0259]
#  [ 0.4657  0.1893 -0.655 ]]
# each row adds up to 0: what one class gains, the others lose
print(grad / 3)     # and this is what belongs to the mean loss
# [[-0.1137  0.0808  0.0329]
#  [ 0.0387 -0.0473  0.0086]
#  [ 0.1552  0.0631 -0.2183]]
