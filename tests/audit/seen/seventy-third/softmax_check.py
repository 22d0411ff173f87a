"""Softmax and attention output, checked by hand for the blog post."""
import numpy as np

scores = np.array([2.0, 0.0, 1.0])
e = np.exp(scores - scores.max())
total = e.sum()
print(round(total, 4))            # 1.5032

w = e / total
print(w.round(4))                 # [0.6652 0.09   0.2447]

values = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0]])
out = w @ values
print(out.round(4))               # [1.3994 0.4478]

entropy = -(w * np.log(w)).sum()
print(round(entropy, 4))          # 0.8324
