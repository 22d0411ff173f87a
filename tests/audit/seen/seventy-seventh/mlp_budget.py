"""How large is an MLP? A worked example for 28 x 28 images."""

LAYERS = [784, 300, 100, 10]      # 28 * 28 = 784 inputs


def count(layers):
    """Weights and biases of a fully connected net.

    784 * 300 + 300 = 235500
    300 * 100 + 100 = 30100
    100 * 10 + 10   = 1010
                      ------
    total             266610

    >>> count([784, 300, 100, 10])
    266610
    >>> count([2, 3, 1])
    13
    """
    return sum(a * b + b for a, b in zip(layers, layers[1:]))


def megabytes(n, bits=32):
    """
    >>> megabytes(266610)
    1.06644
    >>> megabytes(266610, bits=8)
    0.26661
    """
    return n * bits / 8 / 1e6


if __name__ == "__main__":
    n = count(LAYERS)
    print(n, megabytes(n))        # 266610 1.06644
    # share of the first layer: 235500 / 266610 = 88.3 %
    # multiply-adds for one image: 235200 + 30000 + 1000 = 266200
    # for 60,000 images that is 15,972,000,000, about 16.0 billion
