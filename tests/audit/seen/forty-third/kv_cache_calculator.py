# KV cache calculator
# -------------------
# bytes per token = 2 * layers * kv_heads * head_dim * bytes_per_value
#
# model     layers  kv_heads  head_dim  fp16 bytes/token
# small       12       12        64        36864
# medium      24       16        64        98304
# large       36        8       128       147456
# xl          80        8       128       327680
#
# 4096 tokens on "medium": 402653184 bytes = 384 MiB
# 4096 tokens on "xl":     1342177280 bytes = 1250 MiB
# 8-bit cache on "xl":     163840 bytes/token

MODELS = {
    "small": (12, 12, 64),
    "medium": (24, 16, 64),
    "large": (36, 8, 128),
    "xl": (80, 8, 128),
}


def bytes_per_token(name, width=2):
    layers, heads, dim = MODELS[name]
    return 2 * layers * heads * dim * width


if __name__ == "__main__":
    for name in MODELS:
        print(name, bytes_per_token(name))
