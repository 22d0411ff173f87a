# RoPE angles, companion to section 3.4.2 (tested with numpy 1.24-1.26)
import math

BASE = 10000          # some models use 500000 or 1000000
dim = 8               # Table 2 uses 128

freqs = [BASE ** (-2 * i / dim) for i in range(dim // 2)]
print([round(f, 6) for f in freqs])
# [1.0, 0.1, 0.01, 0.001]

pos = 7
angles = [pos * f for f in freqs]
print(round(angles[1], 3))           # 0.7 rad, about 40 degrees
print(round(math.cos(angles[1]), 4)) # 0.7648

# TODO(2024-06): 4k -> 32k context needs a scale of roughly 8
# x, y = 1, 0  -> rotated by 90 degrees gives 0, 1
ORDER = (3, 1, 2)     # = layout "v2", not a shape
