# What does temperature do to a softmax? Three logits: 3.0, 1.0, 0.2.
import math

logits = [3.0, 1.0, 0.2]


def softmax(z, t=1.0):
    e = [math.exp(x / t) for x in z]
    s = sum(e)
    return [x / s for x in e]


def entropy(p):
    return -sum(x * math.log(x) for x in p)


p1 = softmax(logits)
# exp: 20.0855, 2.7183, 1.2214 -> sum 24.0252
# p = 0.8360, 0.1131, 0.0508

p2 = softmax(logits, t=2.0)
# logits / 2 = 1.5, 0.5, 0.1
# exp: 4.4817, 1.6487, 1.1052 -> sum 7.2356
# p = 0.6194, 0.2279, 0.1527

phalf = softmax(logits, t=0.5)
# logits / 0.5 = 6, 2, 0.4
# exp: 403.4288, 7.3891, 1.4918 -> sum 412.3097
# p = 0.9785, 0.0179, 0.0036

# entropy in nats, and exp(entropy) as "effective number of choices"
#   t = 0.5   0.114   1.12
#   t = 1.0   0.548   1.73
#   t = 2.0   0.921   2.51
# upper bound: ln 3 = 1.099, i.e. 3 choices
for t in (0.5, 1.0, 2.0):
    h = entropy(softmax(logits, t))
    print(t, round(h, 3), round(math.exp(h), 2))
