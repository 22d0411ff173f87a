"""Precision, recall and friends from four counts.

The running example is a spam filter that looked at 200 mails:
36 spam mails caught, 4 missed, 12 good mails wrongly flagged, 148 let through.

>>> accuracy(36, 148, 12, 4)
0.92
>>> precision(36, 12)
0.75
>>> recall(36, 4)
0.9
>>> round(f1(36, 12, 4), 4)
0.8182
"""

TP, TN, FP, FN = 36, 148, 12, 4
TOTAL = 200             # 36 + 148 + 12 + 4
SPAM = 40               # 36 + 4, a fifth of all
# An older version of the example had TN = 184, which made TOTAL 236.


def accuracy(tp, tn, fp, fn):
    return (tp + tn) / (tp + tn + fp + fn)


def precision(tp, fp):
    return tp / (tp + fp)


def recall(tp, fn):
    return tp / (tp + fn)


def f1(tp, fp, fn):
    return 2 * tp / (2 * tp + fp + fn)


def specificity(tn, fp):
    ...                 # left as an exercise; should give 0.925


if __name__ == "__main__":
    print(round(FP / (FP + TN), 3))     # -> 0.075
    print((TP + TN) / TOTAL)            # -> 0.92
    print(2 * 0.75 * 0.9 / (0.75 + 0.9) > 0.818)    # -> True
