# inverted dropout -- notes to self, 14 May
#
# keep prob = 1 - p, survivors are multiplied by 1/(1 - p)
#
#   p      scale    variance added per unit x^2: p/(1-p)
#   0.10   1.1111   0.1111
#   0.20   1.25     0.25
#   0.25   1.3333   0.3333
#   0.40   1.6667   0.6667
#   0.50   2.0      1.0

h = [1.2, -0.8, 2.5, 0.4, 3.1, -1.6]
mask = [1, 0, 1, 1, 0, 1]
p = 0.25

print(sum(h))               # 4.8
print(sum(h) / len(h))      # 0.8
print(sum(mask) / 6)        # 0.667 (we expected 0.75, small sample)

out = [x * m / (1 - p) for x, m in zip(h, mask)]
# [1.6, 0, 3.3333, 0.5333, 0, -2.1333]
print(sum(out))             # 3.3333
print(sum(out) / len(out))  # 0.5556

# how odd is it to keep exactly 4 of 6?
#   C(6,4) * 0.75^4 * 0.25^2 = 15 * 0.3164 * 0.0625 = 0.2966
# and to keep all six: 0.75^6 = 0.1780
# expected number kept: 6 * 0.75 = 4.5, variance 6 * 0.75 * 0.25 = 1.125

# a net with 3 dropout layers of widths 512, 256, 128 at p = 0.5 has
#   512 + 256 + 128 = 896 droppable units, on average 448 are alive
# at test time: no mask, no scaling, the sum above is simply 4.8 again
