# How many parameters does LoRA train?  Back-of-the-envelope, then in code.
#
# One weight matrix 768 x 768 has 589,824 entries.
# With rank 8 we train A (768 x 8) and B (8 x 768) instead: 2 * 6,144 = 12,288.
# That is 1.04 % of the matrix.

d = 768
rank = 8
layers = 12
matrices_per_layer = 2  # query and value


def full(d):
    return d * d


def lora(d, r):
    """Parameters of one adapter, e.g. lora(768, 4) is 6144."""
    return 2 * d * r


total = layers * matrices_per_layer * lora(d, rank)
frozen = 124_439_808  # GPT-2 small, all of it

print(full(d))              # 589824
print(lora(d, rank))        # 12288
print(total)                # 294912
print(f"{total / frozen:.3%}")  # 0.237%

# doubling the rank doubles the adapters: rank 16 gives 589,824
# all four matrices (q, k, v, o) at rank 8: 589,824 as well
# optimizer state, two fp32 moments: 294,912 * 8 bytes = 2.36 MB
# on disk in fp16: 590 kB
