# Parameter counting helpers.
#
# I got tired of doing this on napkins. The reference values in the comments
# were worked out by hand.


def linear(n_in, n_out, bias=True):
    # linear(512, 2048) -> 1050624
    # linear(512, 512, bias=False) -> 262144
    return n_in * n_out + (n_out if bias else 0)


def attention(d):
    # four square projections with bias
    # attention(512) -> 4 * 262656 = 1050624
    return 4 * linear(d, d)


def mlp(d, f):
    # mlp(512, 2048) -> 1050624 + 1049088 = 2099172
    return linear(d, f) + linear(f, d)


def layer(d, f):
    # two layer norms add 4 * d
    # layer(512, 2048) -> 3152384
    return attention(d) + mlp(d, f) + 4 * d


def model(vocab, d, f, n):
    # model(10000, 512, 2048, 6) -> 5120000 + 6 * 3152384 = 24034304
    return vocab * d + n * layer(d, f)
