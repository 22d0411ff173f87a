"""How many weights does a transformer block have?

>>> attention(256)
262144
>>> mlp(256)
524288
>>> block(256)
786432
>>> block(512) // block(256)
4
>>> model(layers=4, d=256, vocab=1000)
3401728
"""


def attention(d):
    return 4 * d * d  # Q, K, V and the output projection


def mlp(d, factor=4):
    return 2 * d * factor * d  # up and down


def block(d):
    return attention(d) + mlp(d)


def model(layers, d, vocab):
    # 4 blocks of width 256: 4 * 786432 = 3145728
    # embedding 1000 * 256 = 256000
    return layers * block(d) + vocab * d


if __name__ == "__main__":
    import doctest
    doctest.testmod()
