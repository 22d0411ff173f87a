import numpy as np

# a batch of 3 examples with 2 features
x = np.array([[1.0, 10.0],
              [3.0, 20.0],
              [8.0, 60.0]])

mu = x.mean(axis=0)
var = x.var(axis=0)
print(mu)                    # [ 4. 30.]
print(var.round(3))          # [  8.667 466.667]

y = (x - mu) / np.sqrt(var)
print(y[:, 0].round(3))      # [-1.019 -0.34   1.359]
print(y[2, 1].round(3))      # 1.389

print(y.shape)               # (3, 2)
print(x.T.shape)             # (2, 3)
print((x.T @ x).shape)       # (2, 2)
