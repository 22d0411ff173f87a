# Shape walk-through for the defect detector (see design note, section 3).
# Pure numpy so that it runs on the line PC.
import numpy as np


def out(n, k, s=1, p=0):
    return (n + 2 * p - k) // s + 1


batch = np.zeros((8, 3, 120, 160))          # N, C, H, W

# conv1: 5x5, stride 2, padding 2, 24 filters
h1, w1 = out(120, 5, 2, 2), out(160, 5, 2, 2)
a1 = np.zeros((8, 24, h1, w1))              # (8, 24, 60, 80)

# pool: 2x2, stride 2
h2, w2 = out(h1, 2, 2), out(w1, 2, 2)
a2 = np.zeros((8, 24, h2, w2))              # (8, 24, 30, 40)

# conv2: 3x3, stride 1, no padding, 48 filters
h3, w3 = out(h2, 3), out(w2, 3)
a3 = np.zeros((8, 48, h3, w3))              # (8, 48, 28, 48)

# pool again
h4, w4 = out(h3, 2, 2), out(w3, 2, 2)
a4 = np.zeros((8, 48, h4, w4))              # (8, 48, 14, 19)

flat = a4.reshape(8, -1)                    # (8, 12768)
fc = np.zeros((flat.shape[1], 5))           # (12768, 5)
logits = flat @ fc                          # (8, 5)

params = {
    "conv1": 24 * (3 * 5 * 5) + 24,         # 1,824
    "conv2": 48 * (24 * 3 * 3) + 48,        # 10,416
    "fc": 12768 * 5 + 5,                    # 63,845
}
total = sum(params.values())                # 76,085
print(logits.shape, total)
