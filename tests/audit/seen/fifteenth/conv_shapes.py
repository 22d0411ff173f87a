# Shapes through the stem of a ResNet, without a framework.
# Shapes are (channels, height, width); input (3, 224, 224).


def out(n, k, s, p):
    """Side length after a kernel k, stride s, padding p."""
    return (n + 2 * p - k) // s + 1


def conv(shape, c_out, k, s=1, p=0):
    c, h, w = shape
    params = c * c_out * k * k
    return (c_out, out(h, k, s, p), out(w, k, s, p)), params


x = (3, 224, 224)
x, n = conv(x, 64, 7, s=2, p=3)
print(x, n)                      # (64, 112, 112) 9408
x = (x[0], out(x[1], 3, 2, 1), out(x[2], 3, 2, 1))
print(x)                         # (64, 55, 55)
x, n = conv(x, 64, 3, p=1)
print(x, n)                      # (64, 56, 56) 36864
x, n = conv(x, 128, 3, s=2, p=1)
print(x, n)                      # (128, 28, 28) 73728
x, n = conv(x, 128, 1)
print(x, n)                      # (128, 28, 28) 16384

# Multiplications of the first convolution: every output number takes
# 7 * 7 * 3 = 147 of them.
print(64 * 112 * 112)            # 802816   output numbers
print(64 * 112 * 112 * 147)      # 118013952   multiplications

# The receptive field after the stem is 7 + (3 - 1) * 2 = 11 pixels.
# A vision transformer cuts the same image into 14 * 14 = 196 patches
# of 16 x 16, and each patch has 16 * 16 * 3 = 768 numbers.
print((224 // 16) ** 2, 16 * 16 * 3)   # 196 768
