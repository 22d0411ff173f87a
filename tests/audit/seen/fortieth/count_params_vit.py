# Parameter count of a small vision transformer (width 384, 12 blocks,
# 16x16 patches on 224x224 images). Everything has a bias.
#
#   patches per image   (224/16)^2 = 14^2 = 196
#   patch embedding     768*384 + 384      = 295,296
#   class token         384
#   positions           197*384            = 75,648
#   attention           4*(384*384 + 384)  = 591,360
#   mlp                 384*1536 + 1536 + 1536*384 + 384 = 1,181,568
#   two layer norms     2*2*384            = 1,536
#   one block                                1,774,464
#   twelve blocks                            21,293,568
#   final norm          2*384              = 768
#   head                384*1000 + 1000    = 385,000
#   ------------------------------------------------
#   total                                    22,050,664


def vit_params(width=384, depth=12, patch=16, image=224, classes=1000):
    n = (image // patch) ** 2
    hidden = 4 * width
    embed = 3 * patch * patch * width + width
    pos = (n + 1) * width
    attn = 4 * (width * width + width)
    mlp = width * hidden + hidden + hidden * width + width
    block = attn + mlp + 4 * width
    head = width * classes + classes
    return embed + width + pos + depth * block + 2 * width + head


# The blocks hold 96.6% of the total.
# In float32 the model is 84.1 MiB.
assert vit_params() == 22050664
