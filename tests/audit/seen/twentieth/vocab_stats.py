#!/usr/bin/env python3
"""Count tokens in a nursery rhyme (whitespace tokeniser, lower case)."""
from collections import Counter

TEXT = """
row row row your boat
gently down the stream
merrily merrily merrily merrily
life is but a dream
"""

tokens = TEXT.split()
counts = Counter(tokens)

# There are 18 tokens in the four lines (5 + 4 + 4 + 5),
# but only fourteen different words: "row" comes three times
# and "merrily" four times, the others once.
print(len(tokens), len(counts))

# The type-token ratio is the second number over the first.
ratio = len(counts) / len(tokens)
print(f"{ratio:.3f}")            # 0.722

# A unigram model gives "merrily" the probability 4/18:
p = counts["merrily"] / len(tokens)
print(f"{p:.3f}")                # 0.222

# and "row" 3/18:
print(f"{counts['row'] / len(tokens):.3f}")   # 0.167

# With add-one smoothing, "merrily" goes to (4 + 1) / (18 + 13):
print(f"{5 / 31:.3f}")           # 0.161
