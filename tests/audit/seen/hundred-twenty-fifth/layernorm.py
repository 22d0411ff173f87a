# Layer norm vs. what I thought layer norm was
# (snippet from my blog, run it line by line)

import numpy as np

x = np.array([1.0, 3.0, -2.0, 6.0])     # activations of one token, 4 features

mu = x.mean()
print(mu)                               # 2.0

dev = x - mu
print(dev)                              # [-1.  1. -4.  4.]

# the variance is the plain mean of the squared deviations
var = (dev ** 2).mean()
print(round(var, 4))                    # 11.3333

# (eps is 1e-5 in practice, left out here)
std = np.sqrt(var)
print(round(std, 4))                    # 2.9155

xhat = dev / std
print(xhat.round(3))                    # [-0.343  0.343 -1.372  1.372]

# now the learned part, one gain and one bias per feature
gain = np.array([1.0, 0.4, 2.0, 1.0])
bias = np.array([0.0, 0.1, 0.0, -0.2])
y = gain * xhat + bias
print(y.round(3))                       # [-0.343  0.237 -2.744  1.172]

# Multiplying the input by 10 changes nothing before the gain, that is the point:
z = 10 * x
zhat = (z - z.mean()) / np.sqrt(((z - z.mean()) ** 2).mean())
print(zhat.round(3))                    # [-0.343  0.343 -1.372  1.372]
