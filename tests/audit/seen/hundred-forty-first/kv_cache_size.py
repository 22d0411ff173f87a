# How big is the KV cache?  (answer to the question why the GPU is full
# although "the model has only 350M parameters")

LAYERS = 24
HEAD_DIM = 64
BYTES = 2            # fp16


def kv_bytes(kv_heads, tokens=1, batch=1):
    # K and V, hence the factor 2 in front
    return 2 * LAYERS * kv_heads * HEAD_DIM * BYTES * tokens * batch


def kib(n):
    return n / 1024


def mib(n):
    return n / 1024 ** 2


# Plain multi-head attention, 16 heads
print(kv_bytes(16))                            # 98304
print(kib(kv_bytes(16)))                       # 96.0   per token
print(mib(kv_bytes(16, tokens=2048)))          # 192.0  for one full context
print(mib(kv_bytes(16, tokens=2048, batch=8))) # 1536.0 for a batch of 8, i.e. 1.5 GiB

# Grouped-query attention, 4 KV heads (the 16 query heads stay)
print(kib(kv_bytes(4)))                        # 12.0   per token
print(mib(kv_bytes(4, tokens=2048)))           # 48.0   for one full context

# Multi-query attention, a single KV head
print(kib(kv_bytes(1)))                        # 6.0    per token
print(mib(kv_bytes(1, tokens=2048)))           # 12.0   for one full context

# For comparison, the weights: 350e6 parameters * 2 bytes
print(350e6 * BYTES / 1e6)                     # 700.0  MB
