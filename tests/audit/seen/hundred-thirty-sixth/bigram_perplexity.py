"""Exercise 3: bigram language model on three sentences (solution)."""
from collections import Counter
from math import prod

corpus = [
    "<s> the cat sat </s>",
    "<s> the dog sat </s>",
    "<s> the cat ran </s>",
]

uni, bi = Counter(), Counter()
for line in corpus:
    w = line.split()
    uni.update(w[:-1])           # </s> is never a history
    bi.update(zip(w, w[1:]))

print(uni["the"], bi["the", "cat"], bi["the", "dog"])  # 3 2 1


# a) maximum likelihood
def ml(w, h):
    return bi[h, w] / uni[h]

print(round(ml("cat", "the"), 4))  # 0.6667
print(round(ml("sat", "cat"), 4))  # 0.5
s = "<s> the cat sat </s>".split()
p = prod(ml(w, h) for h, w in zip(s, s[1:]))  # 1 * 2/3 * 1/2 * 1
print(round(p, 4))  # 0.3333
print(round(p ** (-1 / 4), 3))  # 1.316

# b) "the dog ran" never occurs, ML gives it probability 0 -> add one.
#    Words that can follow: the, cat, dog, sat, ran, </s>
V = 6

def add1(w, h):
    return (bi[h, w] + 1) / (uni[h] + V)

print(round(add1("the", "<s>"), 4))  # 0.4444
print(round(add1("dog", "the"), 4))  # 0.2222
print(round(add1("ran", "dog"), 4))  # 0.1667
print(round(add1("</s>", "ran"), 4))  # 0.2857

s = "<s> the dog ran </s>".split()
p = prod(add1(w, h) for h, w in zip(s, s[1:]))
print(round(p, 6))  # 0.004031
print(round(p ** (-1 / 4), 3))  # 3.969
# four predicted tokens (with </s>), therefore the fourth root
