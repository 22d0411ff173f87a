"""Linear position bias as in ALiBi, for 4 heads.

Head i (counted from 1) has the slope 2 ** (-8 * i / heads).
"""

heads = 4

slopes = [2 ** (-8 * i / heads) for i in range(1, heads + 1)]

slopes[0]          # 0.25
slopes[1]          # 0.0625
slopes[2]          # 0.015625
slopes[3]          # 0.0390625


def bias(slope, i, j):
    """Added to the score of query i and key j, j <= i."""
    return -slope * (i - j)


bias(slopes[0], 10, 7)      # -0.75
bias(slopes[1], 10, 2)      # -0.5
bias(slopes[3], 128, 64)    # -0.25

sum(slopes)                 # 0.33203125
