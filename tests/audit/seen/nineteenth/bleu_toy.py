"""A toy BLEU, for slide 12 of the metrics lecture (rev. 7, 2021-12-02).

Papineni et al. (2002) report scores for five systems; we need only one
sentence pair to see how the thing works.
"""
import math
from collections import Counter

CAND = "the cat sat on the mat today".split()      # 7 words
REF = "the cat sat on a red mat today".split()     # 8 words


def ngrams(words, n):
    return Counter(tuple(words[i:i + n]) for i in range(len(words) - n + 1))


def precision(n):
    c, ref = ngrams(CAND, n), ngrams(REF, n)
    return sum(min(k, ref[g]) for g, k in c.items()), sum(c.values())


print(precision(1))     # (6, 7)  the second "the" does not count
print(precision(2))     # (4, 6)
print(precision(3))     # (2, 5)
print(precision(4))     # (1, 4)

# Brevity penalty: exp(1 - 8/7) because the candidate is one word short.
bp = math.exp(1 - len(REF) / len(CAND))
print(round(bp, 4))     # 0.8669

# Geometric mean of 6/7, 4/6, 2/5 and 1/4. The product is 48/840,
# about 0.0571, and its fourth root is about 0.489.
p = [a / b for a, b in map(precision, (1, 2, 3, 4))]
geo = math.prod(p) ** 0.25
print(round(geo, 3))    # 0.489

# Not the arithmetic mean, which would be (6/7 + 4/6 + 2/5 + 1/4) / 4
print(round(sum(p) / 4, 3))     # 0.543

print(f"BLEU-4 {bp * geo:.3f}")     # BLEU-4 0.424
# sacrebleu 2.3.1 says 42-43 on its 0-100 scale; same thing.
