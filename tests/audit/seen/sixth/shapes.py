"""How the shapes run through one attention layer."""

import numpy as np

x = np.zeros((10, 64))            # (10, 64)
w_query = np.zeros((64, 16))
w_key = np.zeros((64, 16))
w_value = np.zeros((64, 32))

query = x @ w_query               # (10, 16)
key = x @ w_key                   # (10, 16)
value = x @ w_value               # (10, 32)
scores = query @ key.T            # (10, 10)
mixed = scores @ value            # (10, 16)
