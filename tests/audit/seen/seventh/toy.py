"""A toy attention head, with what it gives in the comments."""

import math

scores = [1.0, 3.0]
scale = math.sqrt(16)  # 4.0
total = sum(scores)  # 4.0
difference = scores[1] - scores[0]  # 2.0
product = scores[0] * scores[1]  # 3.0
ratio = scores[0] / scores[1]  # 0.303
