import numpy as np

a = np.array([1.0, 2.0, 3.0])
b = np.array([0.5, 0.5, 0.0])
np.dot(a, b)  # 1.5
(a * b).sum()  # 1.5
a - b  # [0.5, 1.5, 2.0]
