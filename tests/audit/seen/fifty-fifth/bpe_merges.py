# Byte-pair encoding on a corpus of five words, for the blackboard.
#
#   sand 7x, hand 4x, band 6x, sands 3x, wind 5x     -> 7 + 4 + 6 + 3 + 5 = 25 words
#
# Symbols before any merge: 7*4 + 4*4 + 6*4 + 3*5 + 5*4 = 103
from collections import Counter

words = {tuple("sand"): 7, tuple("hand"): 4, tuple("band"): 6, tuple("sands"): 3, tuple("wind"): 5}


def pairs(words):
    count = Counter()
    for w, n in words.items():
        for p in zip(w, w[1:]):
            count[p] += n
    return count


def merge(words, pair):
    out = {}
    for w, n in words.items():
        s, i = [], 0
        while i < len(w):
            step = 2 if w[i:i + 2] == pair else 1
            s.append("".join(w[i:i + step]))
            i += step
        out[tuple(s)] = n
    return out


# Pair counts at the start:
#   n d: 25    a n: 20    s a: 7    b a: 6
#   i n: 5     w i: 5     h a: 4     d s: 3
for round_ in (1, 2, 3):
    best = max(pairs(words), key=pairs(words).get)
    words = merge(words, best)
    print(round_, best, sum(len(w) * n for w, n in words.items()))
# 1 ('n', 'd') 78        103 - 25
# 2 ('a', 'nd') 58       78 - 20
# 3 ('s', 'and') 48      58 - 10
