# Pointwise mutual information: the ancestor of word vectors.
#
# Long before attention, people asked of two words: do they meet more often
# than chance would have it?  My toy corpus has 6000 windows.  I counted in how
# many of them each word, and each pair of words, appears.

from math import log2

N = 6000
count = {"ice": 120, "cream": 90, "steam": 150, "the": 3000}
pair = {("ice", "cream"): 36, ("ice", "steam"): 3, ("ice", "the"): 75, ("steam", "the"): 60}


def expected(a, b):
    """number of common windows if the words ignored each other"""
    return count[a] * count[b] / N


def pmi(a, b):
    return log2(pair[a, b] / expected(a, b))


print(expected("ice", "cream"))          # 1.8   = 120 * 90 / 6000
print(expected("ice", "steam"))          # 3.0   = 120 * 150 / 6000
print(expected("ice", "the"))            # 60.0  = 120 * 3000 / 6000
print(expected("steam", "the"))          # 75.0  = 150 * 3000 / 6000

# "ice" and "cream": seen 36 times where 1.8 were expected, 20 times as often as chance.
print(round(pmi("ice", "cream"), 3))     # 2.996
# "ice" and "steam": exactly what chance gives, so no information.
print(round(pmi("ice", "steam"), 3))     # 0.0
# "ice" and "the": 75 / 60 = 1.25, hardly more than chance.
print(round(pmi("ice", "the"), 3))       # 0.322
# "steam" and "the": 60 / 75 = 0.8, a little less than chance.
print(round(pmi("steam", "the"), 3))     # -0.322

# PPMI throws the negative values away.
print(max(0.0, pmi("steam", "the")))     # 0.0
