# Binary cross-entropy from logits, the numerically stable way.
#
# loss(z, y) = max(z, 0) - z*y + log(1 + exp(-|z|))
#
# Three examples worked out with a calculator; the asserts at the bottom hold
# the code to them.
#
#   z =  2.0, y = 1:  p = sigmoid(2.0)  = 0.8808   loss = -ln 0.8808 = 0.127
#   z = -1.0, y = 1:  p = sigmoid(-1.0) = 0.2689   loss = -ln 0.2689 = 1.313
#   z =  0.5, y = 0:  p = sigmoid(0.5)  = 0.6225   loss = -ln(1 - 0.6225) = 0.974
#
#   mean loss: (0.127 + 1.313 + 0.974) / 3 = 2.414 / 3 = 0.805
#
# The gradient with respect to z is p - y for each example:
#   -0.1192, -0.7311, 0.6225; divided by 3 because of the mean: -0.0397, -0.2437, 0.2075
#
# Why not the naive formula? With z = -800 exp(800) overflows in float64
# (the limit is near exp(709.78)), and you'd get inf or nan. I lost the evening
# of 2021-12-03 to that.

import math


def bce_with_logits(z: float, y: float) -> float:
    return max(z, 0.0) - z * y + math.log1p(math.exp(-abs(z)))


def mean_loss(zs, ys):
    return sum(bce_with_logits(z, y) for z, y in zip(zs, ys)) / len(zs)


if __name__ == "__main__":
    assert abs(bce_with_logits(2.0, 1) - 0.127) < 1e-3
    assert abs(bce_with_logits(-1.0, 1) - 1.313) < 1e-3
    assert abs(bce_with_logits(0.5, 0) - 0.974) < 1e-3
    assert abs(mean_loss([2.0, -1.0, 0.5], [1, 1, 0]) - 0.805) < 1e-3
    # a coin flip as baseline: ln 2 = 0.693
    print("ok")
