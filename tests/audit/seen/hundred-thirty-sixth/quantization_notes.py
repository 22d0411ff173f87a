"""Appendix B of my thesis: numbers quoted in the chapter on inference cost.

Small script so that I (and the examiner) can recompute them.
"""

# B.1  size of the KV cache -------------------------------------------
n_layers, n_kv_heads, head_dim = 24, 8, 64
bytes_fp16 = 2

per_token = 2 * n_layers * n_kv_heads * head_dim * bytes_fp16   # 2: K and V
print(per_token)  # 49152
print(per_token / 1024, "KiB")  # 48.0 KiB
print(per_token * 4096 / 2**20, "MiB")  # 192.0 MiB

# with 16 instead of 8 KV heads (no grouped-query attention) it doubles
print(2 * per_token * 4096 / 2**20, "MiB")  # 384.0 MiB

# B.2  symmetric int8 quantisation of one row of weights ---------------
w = [0.42, -1.27, 0.055, 0.9]
scale = max(abs(v) for v in w) / 127
print(round(scale, 4))  # 0.01

q = [round(v / scale) for v in w]      # 0.055 / 0.01 = 5.5, see below
print(q)  # [42, -127, 6, 90]

back = [round(k * scale, 3) for k in q]
print(back)  # [0.42, -1.27, 0.06, 0.9]

err = [round(b - v, 3) for b, v in zip(back, w)]
print(err)  # [0.0, 0.0, 0.005, 0.0]
# the largest possible error is scale / 2 = 0.005, and the third weight hits it

# B.3  weights of the whole model (350 million parameters) -------------
n = 350_000_000
print(n * 2 / 1e6, "MB in fp16")  # 700.0 MB in fp16
print(n * 1 / 1e6, "MB in int8")  # 350.0 MB in int8
print(n * 4 / 8 / 1e6, "MB in 4 bit")  # 175.0 MB in 4 bit
