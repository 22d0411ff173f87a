"""A bigram model on a toy corpus, lesson 2 of 6 (Python 3.9 or later)."""
from collections import Counter
from math import exp, log

text = "the cat sat on the mat the cat ran"
tokens = text.split()
print(len(tokens), len(set(tokens)))  # 9 6

pairs = Counter(zip(tokens, tokens[1:]))
print(sum(pairs.values()), len(pairs))  # 8 7

# "the" is followed by cat twice and by mat once
p_cat = pairs["the", "cat"] / 3
p_mat = pairs["the", "mat"] / 3
print(round(p_cat, 4), round(p_mat, 4))  # 0.6667 0.3333

# losses of the two continuations, in nats
print(round(-log(p_cat), 4))  # 0.4055
print(round(-log(p_mat), 4))  # 1.0986

# mean loss over the three places where "the" occurs
mean = (-log(p_cat) * 2 - log(p_mat)) / 3
print(round(mean, 4))  # 0.7521
print(round(exp(0.6365), 3))  # 1.89

# add-one smoothing over the 6 words
smooth = (2 + 1) / (3 + 6)
print(round(smooth, 4))  # 0.3333
print(round((0 + 1) / (3 + 6), 4))  # 0.1111
