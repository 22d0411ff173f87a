# Language models for beginners
# Part 1: counting pairs of words
#
# <s> marks the beginning of a sentence and </s> its end.

from collections import Counter

sentences = [
    "<s> the dog runs </s>",
    "<s> the cat sleeps </s>",
    "<s> a dog sleeps </s>",
    "<s> the dog sleeps </s>",
]

pairs = Counter()
first = Counter()
for s in sentences:
    words = s.split()
    for v, w in zip(words, words[1:]):
        pairs[v, w] += 1
        first[v] += 1

print(sum(pairs.values()))          # 12
print(len(pairs))                   # 10 (different ones)
print(pairs["the", "dog"])          # 2
print(first["the"])                 # 3


def p(w, v):
    """Probability that w follows v."""
    return pairs[v, w] / first[v]


print(round(p("the", "<s>"), 4))    # 0.75
print(round(p("dog", "the"), 4))    # 0.6667
print(round(p("sleeps", "dog"), 4)) # 0.6667

# The probability of "the dog sleeps" is 3/4 * 2/3 * 2/3 * 1 = 1/3.
# It has four steps, so its perplexity is the fourth root of 3:
print(round(3 ** 0.25, 4))          # 1.3161

# For "a dog runs" we get 1/4 * 1 * 1/3 * 1 = 1/12, and the perplexity
print(round(12 ** 0.25, 4))         # 1.8612

# "a cat" never occurs. To avoid a zero we add one to every count; seven
# different words can come second, so P(cat | a) becomes (0 + 1) / (1 + 7):
print((pairs["a", "cat"] + 1) / (first["a"] + 7))   # 0.125
