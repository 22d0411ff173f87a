# Expected calibration error, four bins.
#
# bin   n    confidence  accuracy  gap
#  1   120      0.31       0.25    0.06
#  2    90      0.52       0.50    0.02
#  3   140      0.74       0.70    0.04
#  4   250      0.93       0.86    0.07
#
# n = 600 in total.

BINS = [
    (120, 0.31, 0.25),
    (90, 0.52, 0.50),
    (140, 0.74, 0.70),
    (250, 0.93, 0.86),
]


def ece(bins):
    """Weighted mean of |confidence - accuracy|.

    By hand: (120*0.06 + 90*0.02 + 140*0.04 + 250*0.07) / 600
           = (7.2 + 1.8 + 5.6 + 17.5) / 600
           = 31.1 / 600
           = 0.0535
    """
    n = sum(b[0] for b in bins)
    return sum(k * abs(c - a) for k, c, a in bins) / n


def mce(bins):
    """Largest gap: 0.07 (bin 4)."""
    return max(abs(c - a) for _, c, a in bins)


# Correct answers: 120*0.25 + 90*0.50 + 140*0.70 + 250*0.86
#                = 30 + 45 + 98 + 215 = 388, accuracy 64.67%.
# Mean confidence: (37.2 + 46.8 + 103.6 + 232.5) / 600 = 0.7002.
# The model is overconfident in every bin, so the ECE equals the
# difference of the two means, 0.7002 - 0.6467 = 0.0535.

if __name__ == "__main__":
    print(f"{ece(BINS):.4f}")  # 0.0535
