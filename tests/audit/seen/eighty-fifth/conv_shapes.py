"""Spatial sizes in our small CNN (course project, group 7, 2023-12-05)."""


def conv_out(n, k, s=1, p=0):
    """Output size of a convolution: floor((n + 2p - k) / s) + 1."""
    return (n + 2 * p - k) // s + 1


# The input images are 3 x 64 x 64.
print(conv_out(64, k=7, s=2, p=3))   # 32
print(conv_out(32, k=3, s=2, p=1))   # 16
print(conv_out(16, k=5))             # 14
print(conv_out(12, k=3, p=1))        # 12
print(conv_out(12, k=2, s=2))        # 6

# The last feature map has 48 channels of 6 x 6, which we flatten:
features = 48 * 6 * 6
print(features)                      # 1728

# Weights of the linear layer to 10 classes, then with the biases
print(features * 10)                 # 17280
print(features * 10 + 10)            # 17290

# Weights and biases of the first convolution: 3 input and 16 output channels, 7 x 7
print(3 * 16 * 7 * 7 + 16)           # 2368

# Throughput of the best run: 50_000 images in 38 s
print(round(50_000 / 38, 1))         # 1315.8
