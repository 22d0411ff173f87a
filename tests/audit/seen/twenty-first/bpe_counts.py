"""Byte-pair merges, counted by hand and then by machine."""
from collections import Counter

words = {"low": 5, "lower": 2, "newest": 6, "widest": 3}


def pairs(table):
    out = Counter()
    for word, n in table.items():
        sym = word.split()
        for a, b in zip(sym, sym[1:]):
            out[a + b] += n
    return out


spaced = {" ".join(w): n for w, n in words.items()}
p = pairs(spaced)

# "es" is in newest (6 times) and widest (3 times)
print(p["es"])  # -> 9
# "lo" is in low (5) and lower (2)
print(p["lo"])  # -> 7
# "we" is in lower (2) and newest (6)
print(p["we"])  # -> 9
# "st" ties with "es"
print(p["st"])  # -> 9

# words in the corpus: 5 + 2 + 6 + 3
print(sum(words.values()))  # -> 16
# characters in the corpus: 5*3 + 2*5 + 6*6 + 3*6
print(sum(len(w) * n for w, n in words.items()))  # -> 79
# merging "es" saves one symbol for each occurrence
print(sum(len(w) * n for w, n in words.items()) - p["es"])  # -> 70
