"""Activation memory of one transformer layer, the well-known estimate

    bytes = s*b*h * (34 + 5*a*s/h)

for sequence s, micro-batch b, width h and a heads, 16-bit activations.
"""

S, B, H, HEADS, LAYERS = 2048, 4, 2048, 16, 24


def layer_bytes(s=S, b=B, h=H, a=HEADS, flash=False):
    linear = 34 * s * b * h
    quad = 0 if flash else 5 * a * s * s * b
    return linear + quad


# linear part:    34 * 2048 * 4 * 2048     = 570,425,344 bytes = 544 MiB
# quadratic part: 5 * 16 * 2048 * 2048 * 4 = 1,342,177,280 bytes = 1,280 MiB
# one layer:      1,824 MiB
# 24 layers:      43.78 GiB
#
# With flash attention the quadratic part is gone:
# one layer 544 MiB, 24 layers 12.750 GiB.
#
# The quadratic part is 70.2% of the layer.

if __name__ == "__main__":
    full = LAYERS * layer_bytes() / 2**30
    lean = LAYERS * layer_bytes(flash=True) / 2**30
    print(f"saved: {full - lean:.0f} GiB")   # saved: 30 GiB
