"""Temperature, top-k and top-p on four logits.

Numbers in the comments are what I get; run it to compare.
"""
import math

logits = [2.0, 1.0, 0.2, -1.0]
words = ["bank", "river", "money", "fish"]


def softmax(z, T=1.0):
    e = [math.exp(a / T) for a in z]
    s = sum(e)
    return [a / s for a in e]


def entropy(p):
    return -sum(a * math.log(a) for a in p)  # nats


p1 = softmax(logits)
# exp: 7.38906  2.71828  1.22140  0.36788   sum: 11.69662
print([round(a, 4) for a in p1])
# [0.6317, 0.2324, 0.1044, 0.0315]

cold = softmax(logits, T=0.5)
print([round(a, 4) for a in cold])
# [0.8583, 0.1162, 0.0235, 0.0021]

hot = softmax(logits, T=2.0)
print([round(a, 4) for a in hot])
# [0.4472, 0.2772, 0.1818, 0.0998]

print([round(entropy(p), 3) for p in (cold, p1, hot)])
# [0.482, 0.974, 1.254]   upper bound: ln 4 = 1.386

# top-k with k=2 at T=1: keep bank and river, renormalise
k2 = [a / (p1[0] + p1[1]) for a in p1[:2]]
print([round(a, 4) for a in k2])
# [0.7311, 0.2689]   (= sigmoid of the logit difference, 1/(1+e^-1))

# top-p with p=0.9 at T=1: 0.6317, then 0.8641, then 0.9685 >= 0.9, so three words survive
print(round(sum(p1[:3]), 4))
