"""Where does the 400 in LeNet come from?

Every convolution or pooling with kernel k, stride s and padding p turns a side
of n into floor((n + 2p - k)/s) + 1.
"""


def out(n, k, s=1, p=0):
    return (n + 2 * p - k) // s + 1


# LeNet-5, 32 x 32 input
a = out(32, 5)           # (32 - 5)/1 + 1 = 28   -> 6 maps of 28 x 28
b = out(a, 2, 2)         # (28 - 2)/2 + 1 = 14
c = out(b, 5)            # (14 - 5)/1 + 1 = 9
d = out(c, 2, 2)         # (10 - 2)/2 + 1 = 5
flat = 16 * d * d        # 16 * 5 * 5 = 400
print(a, b, c, d, flat)

# the parameters, layer by layer
conv1 = 6 * (5 * 5 * 1 + 1)       # 156
conv2 = 16 * (5 * 5 * 6 + 1)      # 2,416 (fully connected maps, unlike 1998)
fc1 = 400 * 120 + 120             # 48,120
fc2 = 120 * 84 + 84               # 10,164
fc3 = 84 * 10 + 10                # 850
total = conv1 + conv2 + fc1 + fc2 + fc3
print(total)

# first layers of a ResNet, 224 x 224
e = out(224, 7, 2, 3)    # floor((224 + 6 - 7)/2) + 1 = 111 + 1 = 112
f = out(e, 3, 2, 1)      # floor((112 + 2 - 3)/2) + 1 = 55 + 1 = 56
print(e, f)

# a patch embedding is a convolution with stride = kernel
g = out(224, 16, 16)     # (224 - 16)/16 + 1 = 14, so 14 * 14 = 196 patches
print(g * g)

# prints
#   28 14 10 5 400
#   61706
#   112 56
#   196
