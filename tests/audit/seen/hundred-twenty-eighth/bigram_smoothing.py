# Answer to: "why is my smoothed bigram probability not 1/V for unseen pairs?"
# Because you divide by count + V, not by V. Run this, results are in the comments.
from collections import Counter

tokens = "the cat sat on the mat the cat ate the fish".split()
pairs = Counter(zip(tokens, tokens[1:]))
first = Counter(tokens[:-1])          # how often a word is followed by something
V = len(set(tokens))

len(tokens)            # 11
V                      # 7: the cat sat on mat ate fish
first["the"]           # 4
first["cat"]           # 2
pairs["the", "cat"]    # 2


def ml(a, b):
    """maximum likelihood, no smoothing"""
    return pairs[a, b] / first[a]


def add_one(a, b):
    return (pairs[a, b] + 1) / (first[a] + V)


ml("the", "cat")       # 2/4 = 0.5
ml("the", "mat")       # 1/4 = 0.25
ml("the", "sat")       # 0/4 = 0.0

add_one("the", "cat")  # (2 + 1)/(4 + 7) = 0.2727
add_one("the", "mat")  # (1 + 1)/(4 + 7) = 0.2857
add_one("the", "sat")  # (0 + 1)/(4 + 7) = 0.0909   <- your unseen pair
add_one("cat", "sat")  # (1 + 1)/(2 + 7) = 0.2222

# sanity check: all 7 continuations of "the" must add up to 1
# cat 3/11, mat 2/11, fish 2/11, the other four 1/11 each: (3 + 2 + 2 + 4)/11 = 1
sum(add_one("the", w) for w in set(tokens))   # 1.0 (up to float noise)

# "the cat sat" after the first word: unsmoothed 0.5 * 0.5 = 0.25, smoothed 0.2727 * 0.2222 = 0.0606
