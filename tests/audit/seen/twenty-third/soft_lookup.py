"""soft_lookup.py -- a dictionary lookup that hedges its bets.

Worked example
--------------
One query, three memory slots, keys of size 4 (so we scale by sqrt(4) = 2).

    q  = [2, 0, 1, -1]
    k1 = [1, 1, 0, 0]      q.k1 = 2
    k2 = [1, 0, 1, -1]     q.k2 = 2
    k3 = [0, 3, -1, 1]     q.k3 = -2

Scaled scores are 1, 2 and -1. Their exponentials, 2.718, 7.389 and 0.368, have
the sum 10.475, so the weights are

    0.259   0.705   0.035      (0.999 after rounding, don't worry)

With the values [1, 0], [2, 4] and [-2, 6] the answer is

    0.259*1 + 0.705*2 + 0.035*(-2) = 1.599
    0.259*0 + 0.705*4 + 0.035*6    = 3.030

A hard lookup would have returned [2, 4].
"""
import numpy as np

__version__ = "1.0.3"


def soft_lookup(q, keys, values):
    """Return sum_i softmax(q.k_i / sqrt(d))_i * v_i for one query."""
    scores = keys @ q / np.sqrt(q.shape[-1])
    scores = scores - scores.max()      # exp(800) overflows in float64
    w = np.exp(scores)
    return (w / w.sum()) @ values
