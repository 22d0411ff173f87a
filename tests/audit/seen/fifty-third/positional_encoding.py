"""Sinusoidal positions for d_model = 4.

PE[pos, 2i]   = sin(pos / 10000**(2i/4))
PE[pos, 2i+1] = cos(pos / 10000**(2i/4))

For i = 0 the divisor is 1, for i = 1 it is 100.
"""
import math


def encode(pos, d_model=4):
    row = []
    for i in range(d_model // 2):
        angle = pos / 10000 ** (2 * i / d_model)
        row += [math.sin(angle), math.cos(angle)]
    return row


# What you should see, rounded to four places:
#   pos 0:  0.0000   1.0000   0.0000   1.0000
#   pos 1:  0.8415   0.5403   0.0100   1.0000
#   pos 2:  0.9093  -0.4161   0.0200   0.9998
#   pos 3:  0.1411  -0.9900   0.3000   0.9996
#
# The fast pair repeats after 2*pi = 6.28 positions, the slow pair after 628.3.
# Each row has length sqrt(2) = 1.414, since sin^2 + cos^2 = 1 twice.
if __name__ == "__main__":
    for pos in range(4):
        print(pos, [f"{v:.4f}" for v in encode(pos)])
