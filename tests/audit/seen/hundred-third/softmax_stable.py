"""Numerically stable softmax, with the numbers spelled out.

For the scores [1.0, 2.0, 4.0]:

    naive:   exp -> 2.718, 7.389, 54.598     sum 64.705
    shifted: exp(x - 4) -> 0.0498, 0.1353, 1.0000     sum 1.2581

    weights: 0.0420, 0.1142, 0.8438

and log-sum-exp = 4 + ln(sum of the shifted ones) = 4.1698.
"""
import math


def softmax(xs):
    m = max(xs)
    es = [math.exp(x - m) for x in xs]
    total = sum(es)
    return [e / total for e in es]


def entropy(ps):
    return -sum(p * math.log(p) for p in ps if p > 0)


if __name__ == "__main__":
    w = softmax([1.0, 2.0, 4.0])
    print([round(p, 4) for p in w])      # [0.042, 0.1142, 0.8438]
    print(round(entropy(w), 4))          # 0.5243
    print(round(math.log(3), 4))         # 1.0986, the largest it could be for 3 options
    print([round(p, 3) for p in softmax([1001.0, 1002.0, 1004.0])])  # [0.042, 0.114, 0.844]
    print([round(p, 3) for p in softmax([0.0, 0.0])])                # [0.5, 0.5]
