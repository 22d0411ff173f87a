# Exercise 12: cross-entropy for a batch of two pictures  -- solution
#
# A network that knows four animals (0 cat, 1 dog, 2 hen, 3 pig) has seen two pictures.
# The first shows a pig, the second a dog.
import numpy as np

logits = np.array([[1.2, 0.3, -0.5, 2.0],
                   [0.4, 2.1, 0.0, -1.0]])
labels = np.array([3, 1])

# (a) Softmax, row by row
e = np.exp(logits)
print(e.sum(axis=1).round(3))
# [12.666 11.026]
p = e / e.sum(axis=1, keepdims=True)
print(p.round(3))
# [[0.262 0.107 0.048 0.583]
#  [0.135 0.741 0.091 0.033]]

# (b) The loss of a picture is minus the logarithm of the probability of the right animal.
losses = -np.log(p[[0, 1], labels])
for loss in losses:
    print(f"{loss:.4f}")
# 0.5389
# 0.3002

# (c) The loss of the batch is the mean of these two.
print(f"{losses.mean():.4f}")
# 0.8391

# (d) A network that only guesses gives every animal 1/4:
print(f"{np.log(4):.4f}")
# 1.3863

# (e) The gradient with respect to the logits is (p - one_hot) / 2; the 2 comes from the mean.
grad = p.copy()
grad[[0, 1], labels] -= 1
grad /= 2
print(grad.round(3))
# [[ 0.131  0.053  0.024 -0.208]
#  [ 0.068 -0.13   0.045  0.017]]
# In each row the entries add up to zero: what the right animal gains, the others lose.
