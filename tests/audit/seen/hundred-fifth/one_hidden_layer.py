# A feed-forward layer, neuron by neuron.
# Study group, session 7 -- type along, then check against the comments.

from math import erf, sqrt

x = [0.5, -1.2, 2.0, 0.3]

W = [
    [0.4, -0.1, 0.3, 0.2],
    [-0.6, 0.5, 0.1, -0.4],
    [0.2, 0.2, 0.2, 0.2],
]
b = [0.1, -0.05, 0.0]

# neuron 1:  0.20 + 0.12 + 0.60 + 0.06 = 0.98, plus bias 0.1   ->  1.08
# neuron 2: -0.30 - 0.60 + 0.20 - 0.12 = -0.82, plus bias -0.05 -> -0.87
# neuron 3:  0.10 - 0.24 + 0.40 + 0.06 = 0.32, no bias          ->  0.32
z = [sum(wi * xi for wi, xi in zip(row, x)) + bi for row, bi in zip(W, b)]

# ReLU switches neuron 2 off
h = [max(0.0, v) for v in z]          # [1.08, 0, 0.32]

# back to the output:  0.7 * 1.08 - 0.3 * 0 + 0.5 * 0.32 - 0.2
#                    = 0.756 + 0.16 - 0.2 = 0.716
out = 0.7 * h[0] - 0.3 * h[1] + 0.5 * h[2] - 0.2


def gelu(v):
    """Exact GELU, v times the normal distribution function of v.

    >>> round(gelu(1.08), 3)
    0.929
    >>> round(gelu(-0.87), 3)
    -0.167
    >>> round(gelu(0.32), 3)
    0.2
    """
    return 0.5 * v * (1 + erf(v / sqrt(2)))


# parameters in this little layer: 3 * 4 weights + 3 biases = 15
n_params = sum(len(row) for row in W) + len(b)
