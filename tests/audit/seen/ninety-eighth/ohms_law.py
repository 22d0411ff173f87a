#!/usr/bin/env python3
"""Three resistors and a 9 V battery. For the electronics club."""

U = 9.0
R = (220, 330, 470)


def in_series():
    """All in one line.

    R = 220 + 330 + 470 = 1020 ohm
    I = 9 V / 1020 ohm = 8.82 mA
    Voltage across each: 1.941 V, 2.912 V, 4.147 V (together 9.000 V)
    Power: 9 V * 8.82 mA = 79.4 mW
    """
    total = sum(R)
    return total, U / total, [U * r / total for r in R]


def in_parallel():
    """Side by side.

    1/R = 1/220 + 1/330 + 1/470 = 0.004545 + 0.003030 + 0.002128 = 0.009703
    R = 103.1 ohm, less than the smallest of the three, as always
    Branch currents: 40.91 mA, 27.27 mA, 19.15 mA
    I = 87.33 mA
    """
    total = 1 / sum(1 / r for r in R)
    return total, U / total, [U / r for r in R]


if __name__ == "__main__":
    print(in_series())
    print(in_parallel())
    # How long does a 550 mAh battery last?
    print(550 / 8.82)   # 62.4 hours in series
    print(550 / 87.33)  # 6.3 hours in parallel
