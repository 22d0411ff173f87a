"""How much memory does the KV cache eat?

Back-of-the-envelope for the 8B model, fp16 cache. Outputs are noted beside the prints.
"""

N_LAYERS = 32
N_HEADS = 32
N_KV_HEADS = 8      # grouped-query attention
HEAD_DIM = 128
BYTES = 2           # fp16
SEQ_LEN = 8192      # was 4096 before the long-context finetune

KIB, GIB = 2**10, 2**30

# keys and values, hence the 2 in front
per_token = 2 * N_LAYERS * N_KV_HEADS * HEAD_DIM * BYTES
print(per_token)                    # 131072
print(per_token / KIB)              # 128.0

per_sequence = per_token * SEQ_LEN
print(per_sequence / GIB)           # 0.5

# What it would have been with one kv head per query head: 4 times as much.
per_token_mha = 2 * N_LAYERS * N_HEADS * HEAD_DIM * BYTES
print(per_token_mha / KIB)          # 512.0
print(per_token_mha // per_token)   # 4

# 80 GB card (74.5 GiB), 15 GiB of weights, 3.5 GiB kept free for activations
free = 74.5 - 15 - 3.5
print(free)                         # 56.0

# so this many full-length sequences fit at once
print(int(free // (per_sequence / GIB)))        # 56

# and with an int8 cache
print(int(free // (per_sequence / 2 / GIB)))    # 112
