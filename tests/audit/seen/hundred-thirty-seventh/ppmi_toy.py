# Positive pointwise mutual information on a 3 x 3 table.
# Companion to the chapter on count-based word vectors.
from math import log2

words = ["coffee", "tea", "car"]
contexts = ["cup", "drink", "road"]
counts = [
    [12, 8, 0],
    [6, 9, 1],
    [0, 2, 22],
]

N = sum(map(sum, counts))
row = [sum(r) for r in counts]
col = [sum(c) for c in zip(*counts)]
print(N)      # 60
print(row)    # [20, 16, 24]
print(col)    # [18, 19, 23]


def pmi(i, j):
    # log2 of p(w, c) / (p(w) p(c)); the N's collapse to one
    return log2(counts[i][j] * N / (row[i] * col[j]))


# coffee and cup: 12 * 60 / (20 * 18) = 2, so exactly one bit
print(round(pmi(0, 0), 3))    # 1.0
print(round(pmi(0, 1), 3))    # 0.337   coffee, drink
print(round(pmi(1, 0), 3))    # 0.322   tea, cup
print(round(pmi(1, 1), 3))    # 0.829   tea, drink
print(round(pmi(2, 2), 3))    # 0.872   car, road

# Rare pairs come out negative, and badly estimated:
print(round(pmi(1, 2), 3))    # -2.617  tea, road (seen once; 16 * 23 / 60 = 6.13 expected)
print(round(pmi(2, 1), 3))    # -1.926  car, drink

# ... which is why one clips at zero (and also gets rid of log2(0) for coffee/road and car/cup).
ppmi = [[max(0.0, pmi(i, j)) if counts[i][j] else 0.0 for j in range(3)] for i in range(3)]
print(sum(x > 0 for r in ppmi for x in r))    # 5 of the 9 cells survive
