# Quick FLOP counter for one decoder block. Numbers on the right are what I get.
# Rule of thumb: a (n x k) @ (k x m) matmul costs 2*n*k*m FLOPs.

T = 1024        # tokens
D = 2048        # model width
F = 4 * D       # 8192


def mm(n, k, m):
    return 2 * n * k * m


qkv = 3 * mm(T, D, D)        # 25.77 GFLOP
scores = mm(T, D, T)         # 4.295 GFLOP (all heads together)
mix = mm(T, T, D)            # same, 4.295 GFLOP
proj = mm(T, D, D)           # 8.59 GFLOP
up = mm(T, D, F)             # 34.63 GFLOP
down = mm(T, F, D)           # 34.36 GFLOP

block = qkv + scores + mix + proj + up + down
print(block / 1e9)           # 111.7

# attention-specific part (scores + mix)
print((scores + mix) / block)    # 0.077

# 24 blocks, forward only
print(24 * block / 1e12)     # 2.68 TFLOP
# forward + backward is about 3x that
print(72 * block / 1e12)     # 8.04 TFLOP

# parameters of one block: 4*D*D for attention, 2*D*F for the MLP
params = 4 * D * D + 2 * D * F
print(params)                # 50_331_648
print(2 * params * T / 1e9)  # 103.08, i.e. the block without scores and mix
