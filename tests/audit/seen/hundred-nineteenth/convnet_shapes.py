# Shapes and parameters of a small image classifier.
# Input: colour images, 32 by 32 pixels, 3 channels, batch of 16.
size, channels, batch = 32, 3, 16

# first convolution: kernel 5, no padding, stride 1, 12 filters
size1 = size - 5 + 1  # 28
(batch, 12, size1, size1)  # (16, 12, 28, 28)
params1 = 12 * (channels * 5 * 5 + 1)  # 912

# max pooling 2 by 2
size2 = size1 // 2  # 14
(batch, 12, size2, size2)  # (16, 12, 14, 14)

# second convolution: kernel 3, padding 1, 24 filters
size3 = size2 + 2 * 1 - 3 + 1  # 14
(batch, 24, size3, size3)  # (16, 24, 14, 14)
params2 = 24 * (12 * 3 * 3 + 1)  # 2616

# pooling again, then flatten
size4 = size3 // 2  # 7
flat = 24 * size4 * size4  # 1716
(batch, flat)  # (16, 1176)

# linear layer to 10 classes
params3 = 10 * (flat + 1)  # 11770
params1 + params2 + params3  # 15298
