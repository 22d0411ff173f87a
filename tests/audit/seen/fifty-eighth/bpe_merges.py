"""Byte-pair encoding on four words.

Corpus: cat x6, cats x4, hat x5, chat x3 (18 words, 61 letters).
Merge 1 joins a+t (18 times), merge 2 c+at (10 times), merge 3 h+at (8 times).
"""
from collections import Counter

words = {"cat": 6, "cats": 4, "hat": 5, "chat": 3}
split = {w: list(w) for w in words}


def pairs():
    c = Counter()
    for w, n in words.items():
        for a, b in zip(split[w], split[w][1:]):
            c[a, b] += n
    return c


def size():
    return sum(n * len(split[w]) for w, n in words.items())


print(size())                      # 61
for step in range(3):
    (a, b), n = pairs().most_common(1)[0]
    for w, s in split.items():
        i = 0
        while i < len(s) - 1:
            if (s[i], s[i + 1]) == (a, b):
                s[i:i + 2] = [a + b]
            i += 1
    print(a + b, n, size())
# at 18 43
# cat 10 33
# hat 8 25      <- 61 - 18 - 10 - 8 = 25 tokens, 1.39 per word
print(sorted({t for s in split.values() for t in s}))   # ['c', 'cat', 'hat', 's']
