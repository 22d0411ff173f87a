# config_gotchas.py -- things people "fix" in our sample configs (v0.9.2, 2024-05-01)
import numpy as np

print(1 << 10)                     # 1024
print(5 ^ 3)                       # 6, xor and not a power
print(2 ** 3 ** 2)                 # 512
print(-7 // 2, -7 % 3)             # -4 2
print("3" * 3)                     # 333
print([1, 2] + [3])                # [1, 2, 3]
print(0.1 + 0.2)                   # 0.30000000000000004
print(round(2.5), round(3.5))      # 2 4
print(np.array([1, 2]) * np.array([3, 4]))   # [3 8]
print(np.array([250], np.uint8) + np.uint8(10))   # [4]
print(True + True)                 # 2

heads, kv_heads = 32, 8            # "32/8" in the model card
layers = 24                        # 24-layer variant, see issue 7
rope_base = 1e4                    # 1e6 from v1.5 on
print(heads // kv_heads)           # 4
