# vision_shapes.py -- how big is everything? Notes for the Thursday lab.
#
# Convolution output size:  floor((n + 2p - k) / s) + 1

def conv_out(n, k, s, p):
    return (n + 2 * p - k) // s + 1


# ResNet stem: 224 pixels, kernel 7, stride 2, padding 3
#   (224 + 6 - 7) / 2 = 111.5, floor 111, plus 1 = 112
assert conv_out(224, 7, 2, 3) == 112

# then max pooling: kernel 3, stride 2, padding 1
#   (112 + 2 - 3) / 2 = 55.5, floor 55, plus 1 = 56
assert conv_out(112, 3, 2, 1) == 56

# Weights in the stem (no bias): 7 * 7 * 3 * 64 = 9408
STEM = 7 * 7 * 3 * 64
# Multiplications for one picture: 9408 * 112 * 112 = 118,013,952, i.e. about 0.12 G
STEM_MULTS = STEM * conv_out(224, 7, 2, 3) ** 2

# A 3x3 layer from 64 to 128 channels, with bias: 3*3*64*128 + 128 = 73,856

# ViT-B/16: patches of 16 x 16
#   224 / 16 = 14 per side, 14 * 14 = 196 patches, + 1 class token = 197
#   one patch flattened: 16 * 16 * 3 = 768 numbers
#   projection with bias: 768 * 768 + 768 = 590,592
PATCHES = (224 // 16) ** 2

# Dosovitskiy et al. (2020) got 77.9 % top-1 with B/16 trained on ImageNet only.
# If somebody claims 256 patches, they used 14-pixel patches (224 / 14 = 16).
print(STEM, STEM_MULTS, PATCHES)
