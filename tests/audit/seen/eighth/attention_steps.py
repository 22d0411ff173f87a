"""A single attention step with the numbers written beside it."""

import numpy as np

q = np.array([1.0, 2.0])
K = np.array([[2.0, 0.0], [1.0, 1.0], [0.0, 3.0]])
scores = K @ q  # [2. 3. 6.]
scaled = scores / 2  # [1.  1.5 3. ]
total = scores.sum()  # 11.0
