# Count the weights of one transformer block, and see how they grow.
# Tested with Python 3.11; no packages needed.

def block(d, ff=None, heads=8, kv_heads=None):
    ff = ff or 4 * d
    kv_heads = kv_heads or heads
    d_head = d // heads
    attn = 2 * d * d + 2 * d * kv_heads * d_head
    mlp = 2 * d * ff
    return attn, mlp, attn + mlp

print(block(256))              # (262144, 524288, 786432)
print(block(512))              # (1048576, 2097152, 3145728)
print(block(512)[2] / block(256)[2])   # 4.0  doubling d quadruples the block

# grouped-query attention: 2 key/value heads instead of 8
full = block(512)[0]
gqa = block(512, kv_heads=2)[0]
print(gqa)                     # 655360
print(f"{1 - gqa / full:.1%}")  # 37.5%

# shapes of the four projections at d = 512, head size 512 // 8 = 64
shapes = {"q": (512, 512), "k": (512, 2 * 64), "v": (512, 2 * 64), "o": (512, 512)}
print(shapes["k"])             # (512, 128)
print(sum(a * b for a, b in shapes.values()))   # 655360

# 12 blocks in bfloat16
n = 12 * block(512)[2]
print(n, n * 2 / 2**20)        # 37748736 72.0
