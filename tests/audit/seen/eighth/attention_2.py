"""Shapes and sums of the toy model."""

import numpy as np

width = 48
heads = 4
head_width = width // heads  # 12
hidden = 4 * width  # 192
weights = 2 * width * hidden  # 18342
mask = np.tril(np.ones((3, 3)))
visible = mask.sum()  # 6.0
