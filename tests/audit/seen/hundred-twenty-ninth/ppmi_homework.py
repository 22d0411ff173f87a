# Homework 5: PPMI by hand and with Python
# Jonas Weber, Computational Semantics
#
# co-occurrence counts, columns: fur, eats, road
from math import log2

contexts = ["fur", "eats", "road"]
counts = {
    "cat": [4, 6, 0],
    "dog": [5, 4, 1],
    "car": [0, 1, 9],
}

N = sum(sum(row) for row in counts.values())
print(N)  # 30
col = [sum(row[j] for row in counts.values()) for j in range(3)]
print(col)  # [9, 11, 10]


def pmi(w, c):
    """log2 of p(w, c) / (p(w) p(c)); the N's cancel to n_wc * N / (n_w * n_c)"""
    j = contexts.index(c)
    return log2(counts[w][j] * N / (sum(counts[w]) * col[j]))


# cat/fur: 4 * 30 / (10 * 9) = 1.3333
print(f"{pmi('cat', 'fur'):.4f}")  # 0.4150
# cat/eats: 6 * 30 / (10 * 11) = 1.6364
print(f"{pmi('cat', 'eats'):.4f}")  # 0.7105
print(f"{pmi('dog', 'fur'):.4f}")  # 0.7370
print(f"{pmi('dog', 'eats'):.4f}")  # 0.1255
# car/road: 9 * 30 / (10 * 10) = 2.7
print(f"{pmi('car', 'road'):.4f}")  # 0.9933

# dog/road: 1 * 30 / (10 * 10) = 0.3 is less than 1, so the PMI is negative
print(f"{pmi('dog', 'road'):.4f}")  # -1.7370
# ... and the PPMI is 0. The same for car/eats; for the zero counts it is 0 anyway.
print(max(0, pmi("dog", "road")))  # 0
