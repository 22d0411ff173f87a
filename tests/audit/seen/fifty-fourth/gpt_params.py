"""Parameter count of our 24-layer decoder.

Width 1024, feed-forward 4096, vocabulary 32,000, no biases in the matrices.
The output layer shares the token embedding.

    attention per layer     4 * 1024 * 1024   = 4,194,304
    feed-forward per layer  2 * 1024 * 4096   = 8,388,608
    two layer norms         4 * 1024          = 4,096
    one layer                                 = 12,587,008
"""

WIDTH = 1024
FF = 4096
LAYERS = 24
VOCAB = 32_000


def layer_params():
    return 4 * WIDTH * WIDTH + 2 * WIDTH * FF + 4 * WIDTH


def total_params():
    # 24 layers: 293,088,192
    # embedding: 32,768,000
    # final norm: 2 * 1024 = 2,048
    return LAYERS * layer_params() + VOCAB * WIDTH + 2 * WIDTH


if __name__ == "__main__":
    # all in all 334,858,240 parameters, so 669.7 MB in bf16 (2 bytes each);
    # the embedding is 9.8 % of them
    print(total_params())
