"""From co-occurrence counts to PPMI, the word vectors before word2vec."""
import math

words = ["ship", "sea", "sand"]
counts = [
    [6, 1, 0],      # ship: how often with ship, sea, sand in the window
    [1, 5, 2],      # sea
    [0, 2, 3],      # sand
]

total = sum(sum(row) for row in counts)
row_sums = [sum(row) for row in counts]
print(total, row_sums)      # 20 [7, 8, 5]

# The matrix is symmetric, so the column sums are the same three numbers.


def pmi(i, j):
    """log2 of observed over expected"""
    return math.log2(counts[i][j] * total / (row_sums[i] * row_sums[j]))


# ship with ship: 6 * 20 / (7 * 7) = 120 / 49 = 2.449
print(round(pmi(0, 0), 3))  # 1.292

# ship with sea: 1 * 20 / (7 * 8) = 20 / 56 = 0.357, rarer than by chance
print(round(pmi(0, 1), 3))  # -1.485

# sea with sand: 2 * 20 / (8 * 5) = 40 / 40 = 1, exactly what chance predicts
print(round(pmi(1, 2), 3))  # 0.0

# "Positive" PMI sets negative values to zero, and pairs never seen too.
for i, w in enumerate(words):
    row = [max(0.0, pmi(i, j)) if counts[i][j] else 0.0 for j in range(3)]
    print(w, [round(v, 3) for v in row])
# ship [1.292, 0.0, 0.0]
# sea [0.0, 0.644, 0.0]
# sand [0.0, 0.0, 1.263]
