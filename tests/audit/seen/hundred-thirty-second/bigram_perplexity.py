#!/usr/bin/env python3
"""Bigram model on four sentences: probabilities, smoothing, perplexity."""
from collections import Counter

corpus = ["the cat sat", "the dog sat", "the cat ran", "a dog ran"]

bigrams, history = Counter(), Counter()
for line in corpus:
    words = ["<s>"] + line.split() + ["</s>"]
    history.update(words[:-1])
    bigrams.update(zip(words, words[1:]))

print(sum(bigrams.values()))       # 16: four per sentence
print(history["the"])              # 3
print(bigrams["the", "cat"])       # 2

# everything that may follow: the a cat dog sat ran </s>
V = 7


def prob(sentence, alpha=0.0):
    p, words = 1.0, ["<s>"] + sentence.split() + ["</s>"]
    for a, b in zip(words, words[1:]):
        p *= (bigrams[a, b] + alpha) / (history[a] + alpha * V)
    return p


def perplexity(p, n):
    return p ** (-1 / n)


# "the dog ran" has never been seen, but all its bigrams have:
#   3/4 * 1/3 * 1/2 * 2/2 = 0.125
p = prob("the dog ran")
print(round(p, 4))                 # 0.125
print(round(perplexity(p, 4), 4))  # 1.6818   (four predictions, </s> counts)

# add-one smoothing: 4/11 * 2/10 * 2/9 * 3/9
p1 = prob("the dog ran", alpha=1)
print(round(p1, 6))                # 0.005387
print(round(perplexity(p1, 4), 4)) # 3.6911

# without smoothing one unseen bigram is enough to kill a sentence
print(prob("a cat sat"))           # 0.0, since 0/1 for (a, cat)
print(round(prob("a cat sat", alpha=1), 6))  # 2/11 * 1/8 * 2/9 * 3/9 = 0.001684
