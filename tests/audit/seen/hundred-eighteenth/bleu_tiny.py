# BLEU with unigrams and bigrams, on one sentence, for people who never saw it unpacked.
# Paste it into a Python 3 prompt; the value behind each "->" is what you should see.
from collections import Counter
from math import exp, sqrt

reference = "the small cat sat on the old red mat near the door".split()
candidate = "the cat sat on the red mat near the the door".split()

len(reference)                    # -> 12
len(candidate)                    # -> 11


def ngrams(words, n):
    return Counter(zip(*(words[i:] for i in range(n))))


def clipped(cand, ref, n):
    c, r = ngrams(cand, n), ngrams(ref, n)
    return sum(min(k, r[g]) for g, k in c.items()), sum(c.values())


ngrams(candidate, 1)[("the",)]    # -> 4   (the reference has only 3)

hit1, all1 = clipped(candidate, reference, 1)
hit1, all1                        # -> (10, 11)
p1 = hit1 / all1
round(p1, 4)                      # -> 0.9091

hit2, all2 = clipped(candidate, reference, 2)
hit2, all2                        # -> (6, 10)
p2 = hit2 / all2
round(p2, 4)                      # -> 0.7

# brevity penalty: the candidate is one word shorter than the reference
bp = exp(1 - len(reference) / len(candidate))
round(bp, 4)                      # -> 0.9131

geo = sqrt(p1 * p2)
round(geo, 4)                     # -> 0.7977
round(bp * geo, 4)                # -> 0.7284
