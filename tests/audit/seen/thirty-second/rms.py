"""RMSNorm, as used in LLaMA (Zhang & Sennrich, 2019).

Worked example
--------------
x = [1, -2, 3, 4]

squares:      1, 4, 9, 16      sum 30
mean square:  30 / 4 = 7.5
rms:          sqrt(7.5) = 2.739

normalised:
     1 / 2.739 =  0.365
    -2 / 2.739 = -0.730
     3 / 2.739 =  1.095
     4 / 2.739 =  1.640

No mean is subtracted; that is the whole difference to LayerNorm.
"""
import math

EPS = 1e-6  # LLaMA 1 uses 1e-6, LLaMA 2 uses 1e-5


def rms_norm(x, gain=None):
    ms = sum(v * v for v in x) / len(x)
    r = math.sqrt(ms + EPS)
    out = [v / r for v in x]
    if gain is not None:
        out = [g * v for g, v in zip(gain, out)]
    return out


if __name__ == "__main__":
    # scaling the input by 10 changes nothing (up to eps): rms becomes 27.39
    print(rms_norm([1, -2, 3, 4]))
    print(rms_norm([10, -20, 30, 40]))
