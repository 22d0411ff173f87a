# FLOPs of one forward pass, counted the pedantic way.
# A matrix product (m x k) @ (k x n) costs 2*m*k*n.
#
# width 1024, feed-forward 4096, 24 layers, 512 tokens, vocabulary 32000

D, F, LAYERS, T, VOCAB = 1024, 4096, 24, 512, 32000


def layer_flops():
    qkv = 2 * T * D * 3 * D      # 3,221,225,472
    scores = 2 * T * T * D       # 536,870,912
    mix = 2 * T * T * D          # 536,870,912
    proj = 2 * T * D * D         # 1,073,741,824
    ffn = 2 * (2 * T * D * F)    # 8,589,934,592
    return qkv + scores + mix + proj + ffn


def total_flops():
    head = 2 * T * D * VOCAB     # 33,554,432,000
    return LAYERS * layer_flops() + head


if __name__ == "__main__":
    print(f"one layer : {layer_flops():,}")
    print(f"24 layers : {LAYERS * layer_flops():,}")
    print(f"with head : {total_flops():,}")
    print(f"per token : {total_flops() / T / 1e6:.1f} MFLOPs")

# Output:
# one layer : 13,958,643,712
# 24 layers : 335,007,449,088
# with head : 368,561,881,088
# per token : 719.8 MFLOPs
#
# The quadratic part (scores + mix) is 7.7 % of a layer at 512 tokens.
# At 4096 tokens it would be 8 times as large per token:
# 8 * 2,097,152 = 16,777,216 FLOPs per token and layer.
