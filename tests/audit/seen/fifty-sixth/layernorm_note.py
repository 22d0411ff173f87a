"""Layer norm by hand, so that the next person does not have to.

Activations of one token (d = 6):  2.0  4.0  -1.0  3.0  0.0  4.0

    mean       2.0
    variance   4.4000      (biased, as in torch.nn.LayerNorm)
    std        1.9149

Normalised, gain 1 and bias 0, eps neglected:

    0.0000  1.0445  -1.5667  0.5222  -1.0445  1.0445

RMSNorm would skip the mean and divide by 2.7689 instead.
"""
import math

x = [2.0, 4.0, -1.0, 3.0, 0.0, 4.0]


def layer_norm(x, eps=0.0):
    mu = sum(x) / len(x)
    var = sum((v - mu) ** 2 for v in x) / len(x)
    return [(v - mu) / math.sqrt(var + eps) for v in x]


def rms_norm(x):
    rms = math.sqrt(sum(v * v for v in x) / len(x))
    return [v / rms for v in x]


if __name__ == "__main__":
    print([round(v, 4) for v in layer_norm(x)])
    print([round(v, 4) for v in rms_norm(x)])
