# causal mask, row by row (from my notebook, cleaned up)
import numpy as np

scores = np.array([[0.2, 0.9, 0.4],
                   [0.5, 1.5, 3.0],
                   [1.0, 0.0, 2.0]])

mask = np.tril(np.ones((3, 3)))
masked = np.where(mask == 1, scores, -np.inf)

e = np.exp(masked)
w = e / e.sum(axis=1, keepdims=True)

print(w[0].round(3).tolist())  # [1.0, 0.0, 0.0]
print(w[1].round(3).tolist())  # [0.269, 0.731, 0.0]
print(w[2].round(3).tolist())  # [0.245, 0.09, 0.669]
print(int(mask.sum()))         # 6, that's 3 * 4 / 2
print(w.shape)                 # (3, 3)
