"""Softmax, cross-entropy and its gradient for one training example.

Four classes, logits 2.0, 1.0, 0.1 and -1.0; the right class is the second.

    exp(2.0)  = 7.3891
    exp(1.0)  = 2.7183
    exp(0.1)  = 1.1052
    exp(-1.0) = 0.3679
    total     = 11.5804

>>> p = softmax([2.0, 1.0, 0.1, -1.0])
>>> [round(v, 4) for v in p]
[0.6381, 0.2347, 0.0954, 0.0318]
>>> round(cross_entropy(p, 1), 4)
1.4493

A model that knows nothing gives each class 1/4 and pays ln 4:

>>> round(cross_entropy([0.25] * 4, 1), 4)
1.3863

The gradient with respect to the logits is p minus the one-hot target:

>>> [round(g, 4) for g in gradient(p, 1)]
[0.6381, -0.7653, 0.0954, 0.0318]

One step with learning rate 1 takes the second logit from 1.0 to
1.0 + 0.7653 = 1.7653 and the first from 2.0 to 2.0 - 0.6381 = 1.3619.
"""
import math


def softmax(logits):
    exps = [math.exp(z) for z in logits]
    return [x / sum(exps) for x in exps]


def cross_entropy(p, target):
    return -math.log(p[target])


def gradient(p, target):
    return [v - (i == target) for i, v in enumerate(p)]


if __name__ == "__main__":
    import doctest
    doctest.testmod()
