#!/usr/bin/env python3
# Perplexity is just exp(mean negative log probability).
# Notes to self after seminar 6.

from math import exp, log

probs = [0.5, 0.25, 0.1, 0.8]

# surprise of each token in nats
nll = [-log(p) for p in probs]
print([round(x, 3) for x in nll])  # -> [0.693, 1.386, 2.303, 0.223]

# total, then mean over FOUR tokens (not three!)
total = sum(nll)
print(round(total, 4))  # -> 4.6052
mean = total / len(probs)
print(round(mean, 4))  # -> 1.5351

# perplexity
print(round(exp(mean), 4))  # -> 3.1623

# same thing as the inverse geometric mean:
# 0.5 * 0.25 * 0.1 * 0.8 = 0.01
prod = 1.0
for p in probs:
    prod *= p
print(round(prod, 6))  # -> 0.01
print(round(prod ** (-1 / 4), 4))  # -> 3.1623

# a coin-flip model would have
print(exp(-log(0.5)))  # -> 2.0
