# Bigram counts from the nursery rhyme corpus (Feb 2022 dump, 3 files).
# After "the" we saw:
#     cat 18, mouse 12, clock 9, moon 6, other 15      -> 60 in total
# so the maximum-likelihood estimates are
#     P(cat|the)   = 18/60 = 0.30
#     P(mouse|the) = 12/60 = 0.20
#     P(clock|the) =  9/60 = 0.15
#     P(moon|the)  =  6/60 = 0.10
COUNTS = {"cat": 18, "mouse": 12, "clock": 9, "moon": 6, "other": 15}
VOCAB = 40  # word types, see vocab.txt


def add_k(word, k=1.0):
    # Laplace smoothing with k = 1 over a vocabulary of 40 types:
    #     P(cat|the) = (18 + 1) / (60 + 40) = 19/100 = 0.19
    #     P(dish|the), never seen, = (0 + 1) / (60 + 40) = 0.01
    # With k = 0.5 it is (18 + 0.5) / (60 + 20) = 0.213 for cat.
    n = sum(COUNTS.values())
    return (COUNTS.get(word, 0) + k) / (n + k * VOCAB)


def surprisal_bits(p):
    # -log2(0.20) = 2.32 bits for "mouse", -log2(0.10) = 3.32 bits for "moon".
    # Halving the probability always costs exactly one bit more.
    from math import log2
    return -log2(p)


# Interpolation with the unigram model, weight 0.7 on the bigram.
# P(cat) alone is 0.02, therefore
#     0.7 * 0.30 + 0.3 * 0.02 = 0.21 + 0.006 = 0.216
# TODO(jk): tune the 0.7 on held-out data; 0.8 looked slightly better in 2021.
