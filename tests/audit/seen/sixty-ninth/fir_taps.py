# Filtering demo for lecture 4: difference and echo filters.
import numpy as np

x = np.array([1, 3, 2, -1])
diff = np.array([1, -1])
np.convolve(x, diff)         # [ 1  2 -1 -3  1]

echo = np.array([2, 0, 1])
np.convolve(x, echo)         # [ 2  6  5  1  2 -1]

# energy of the input: 1 + 9 + 4 + 1 = 15
int(np.sum(x ** 2))          # 15
# length of the echo output: 4 + 3 - 1 = 6
len(np.convolve(x, echo))    # 6
# mean of the input: 5 / 4 = 1.25
float(x.mean())              # 1.25
