"""Lecture 9 demo: what the temperature does to a softmax.

Run it, or just read the comments. Results are rounded to four decimals.
"""
import numpy as np

logits = np.array([2.0, 1.0, 0.2, -1.0])   # for the tokens: cat, dog, car, the


def softmax(z):
    e = np.exp(z)
    return e / e.sum()


def entropy(p):
    return -(p * np.log(p)).sum()           # in nats


# T = 1, the plain softmax
print(np.exp(logits).round(4))              # [7.3891 2.7183 1.2214 0.3679]
print(np.exp(logits).sum().round(4))        # 11.6966
p1 = softmax(logits)
print(p1.round(4))                          # [0.6317 0.2324 0.1044 0.0315]
print(entropy(p1).round(4))                 # 0.974

# T = 0.5, colder: the logits are doubled, "cat" takes nearly everything
p_cold = softmax(logits / 0.5)
print(p_cold.round(4))                      # [0.8583 0.1162 0.0235 0.0021]
print(entropy(p_cold).round(4))             # 0.4823

# T = 2, hotter: the logits are halved, the distribution gets flatter
p_hot = softmax(logits / 2)
print(np.exp(logits / 2).round(4))          # [2.7183 1.6487 1.1052 0.6065]
print(p_hot.round(4))                       # [0.4472 0.2812 0.1818 0.0998]
print(entropy(p_hot).round(4))              # 1.2537

# The upper bound is the uniform distribution on four tokens.
print(np.log(4).round(4))                   # 1.3863
