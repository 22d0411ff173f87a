"""cross_attention.py -- one decoder query looks at three encoder states.

Companion to chapter 11 of the course reader (edition 2024.1).
Run with:  python cross_attention.py
"""
import math

q = [0.5, 1.0, -1.0]
K = [[1, 2, 0], [0, 1, 1], [2, -1, 1]]
V = [[2, 0], [1, 1], [0, 3]]

# scores:
#   q . k1 = 0.5*1 + 1*2 + (-1)*0 = 2.5
#   q . k2 = 0.5*0 + 1*1 + (-1)*1 = 0
#   q . k3 = 0.5*2 + 1*(-1) + (-1)*1 = 1
scores = [sum(a * b for a, b in zip(q, k)) for k in K]

# d = 3, so we divide by sqrt(3) = 1.732
#   2.5 / 1.732 = 1.443,   0,   -1 / 1.732 = -0.577
scaled = [s / math.sqrt(len(q)) for s in scores]

# exp: 4.235, 1.000, 0.561   sum: 5.796
# weights: 0.731, 0.173, 0.097   (adds to 1.001, rounding)
e = [math.exp(s) for s in scaled]
w = [x / sum(e) for x in e]

# context vector
#   0.731*2 + 0.173*1 + 0.097*0 = 1.635  (1.634 with all digits)
#   0.731*0 + 0.173*1 + 0.097*3 = 0.464  (0.463 with all digits)
c = [sum(wi * v[j] for wi, v in zip(w, V)) for j in range(2)]

if __name__ == "__main__":
    # TODO(2024-06): also do the batched version
    print([round(x, 3) for x in c])
