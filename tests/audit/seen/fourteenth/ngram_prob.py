"""Bigram model with add-one smoothing, on a corpus you can count by hand.

    <s> I like tea </s>
    <s> I like coffee </s>
    <s> you like tea </s>

Vocabulary without <s>: I, you, like, tea, coffee, </s>, so V = 6.
"""
from collections import Counter
import math

corpus = ["<s> I like tea </s>", "<s> I like coffee </s>", "<s> you like tea </s>"]
uni, bi = Counter(), Counter()
for line in corpus:
    w = line.split()
    uni.update(w[:-1])
    bi.update(zip(w, w[1:]))

V = 6


def p(w, prev, k=0):
    return (bi[prev, w] + k) / (uni[prev] + k * V)


print(round(p("I", "<s>"), 4))           # 0.6667    2 of 3
print(round(p("tea", "like"), 4))        # 0.6667
print(p("coffee", "tea"))                # 0.0       never seen
print(round(p("coffee", "tea", 1), 4))   # 0.125     1 of 8
print(round(p("tea", "like", 1), 4))     # 0.3333    3 of 9

# <s> you like coffee </s> was never seen, but has probability > 0 anyway:
s = "<s> you like coffee </s>".split()
q = [p(b, a) for a, b in zip(s, s[1:])]
print([round(t, 4) for t in q])          # [0.3333, 1.0, 0.3333, 1.0]
print(round(math.prod(q), 4))            # 0.1111    1/3 * 1 * 1/3 * 1 = 1/9
print(round(math.prod(q) ** (-1 / 4), 4))   # 1.7321   perplexity, over 4 transitions

# Jelinek (1985?) already interpolated. Kneser and Ney is 1995, and 5-grams
# with Kneser-Ney were hard to beat until around 2013.
