"""Cross entropy and its gradient for one token, four classes.

Logits (2.0, 1.0, 0.1, -1.0), target class 1.

>>> import math
>>> z = [2.0, 1.0, 0.1, -1.0]
>>> e = [math.exp(t) for t in z]
>>> [round(t, 4) for t in e]
[7.3891, 2.7183, 1.1052, 0.3679]
>>> round(sum(e), 4)
11.5804
>>> p = [t / sum(e) for t in e]
>>> [round(t, 4) for t in p]
[0.6381, 0.2347, 0.0954, 0.0318]
>>> round(-math.log(p[1]), 4)
1.4493

The same without the softmax: log-sum-exp minus the logit of the target.

>>> round(math.log(sum(e)), 4)
2.4493
>>> round(math.log(sum(e)) - z[1], 4)
1.4493

Gradient is p minus one-hot, so it adds up to zero:

>>> g = [round(p[i] - (i == 1), 4) for i in range(4)]
>>> g
[0.6381, -0.7653, 0.0954, 0.0318]
>>> abs(sum(g)) < 1e-3
True
"""

UNIFORM = 1.386294   # -ln(1/4) = ln 4, what a clueless model pays
BITS = 2             # the same in bits, log2 of 4
# a 32,000 word vocabulary: ln 32000 = 10.373 nats, log2 = 14.966 bits

if __name__ == "__main__":
    import doctest
    doctest.testmod()
