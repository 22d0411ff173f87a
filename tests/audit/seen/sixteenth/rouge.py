"""ROUGE-1 and ROUGE-L for one summary, counted by machine and by hand.

reference: the storm closed two roads and one bridge       (8 words)
summary:   storm closed roads and the bridge               (6 words)
"""
from collections import Counter

ref = "the storm closed two roads and one bridge".split()
out = "storm closed roads and the bridge".split()


def f1(p, r):
    return 2 * p * r / (p + r)


hits = sum((Counter(ref) & Counter(out)).values())
p, r = hits / len(out), hits / len(ref)
print(hits, p, r, round(f1(p, r), 4))      # 6 1.0 0.75 0.8571

# All 6 words of the summary occur in the reference: precision 6/6, recall
# 6/8, and F1 = 2 * 0.75 / 1.75.


def lcs(a, b):
    t = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            t[i + 1][j + 1] = t[i][j] + 1 if x == y else max(t[i][j + 1], t[i + 1][j])
    return t[-1][-1]


n = lcs(ref, out)
print(n, round(n / len(out), 4), round(n / len(ref), 4))    # 5 0.8333 0.625
print(round(f1(n / len(out), n / len(ref)), 4))             # 0.7143
# The longest common subsequence is "storm closed roads and bridge"; the
# second "the" is out of order.

# Published ROUGE-L values on CNN/DM (do not mix with ours, they are times
# 100 and stemmed): 36.38 lead-3 in one paper, 36.67 in another; 40.90 BART.
# rouge-score 0.1.2 rounds differently from the Perl script 1.5.5.
