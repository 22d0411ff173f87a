"""Counts and averages for short texts (version 0.3.1, 2022-06-14).

>>> stats("the dog saw the cat")
{'words': 5, 'letters': 15, 'mean': 3.0, 'types': 4}
>>> type_token_ratio("the dog saw the cat")
0.8
>>> entropy("abab")
1.0
>>> round(entropy("aaab"), 4)
0.8113
"""
import math
from collections import Counter

WPM = 240               # readers manage 200-300 words a minute
PAGE = 1_800            # characters, 30 lines of 60
BOOK = 300 * PAGE       # 540,000 characters, some 90,000 words


def stats(text):
    w = text.split()
    n = sum(map(len, w))
    return {"words": len(w), "letters": n, "mean": n / len(w), "types": len(set(w))}


def type_token_ratio(text):
    w = text.split()
    return len(set(w)) / len(w)


def entropy(text):
    """Bits per symbol. (0.2.x used natural logarithms and gave 0.6931 for "abab".)"""
    c = Counter(text)
    return -sum(n / len(text) * math.log2(n / len(text)) for n in c.values())


def readability(text):
    raise NotImplementedError   # planned for 0.4, formula 206.835 - 1.015 * ...


if __name__ == "__main__":
    print(90_000 / WPM)                     # -> 375.0
    print(round(90_000 / WPM / 60, 2))      # -> 6.25
    print(entropy("abcdefgh"))              # -> 3.0
