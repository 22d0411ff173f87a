"""soft_attention.py -- one query against a list of keys, pure Python.

Worked example (so that nobody has to run it to see what comes out)
-------------------------------------------------------------------
query   (2, 1)
keys    (1, 1), (0, 2), (3, -1)
values  10, 20, 30

The dot products are 3, 2 and 5. Width is 2, so each is divided by 1.4142:

    2.1213   1.4142   3.5355

Softmax of these: the third key takes most, 0.7337, the first 0.1874,
the second 0.0879. The weighted mean of the values is then 25.55.

With ``scale=False`` the third key would take 0.8438 and the
result would be 27.30.
"""
import math


def softmax(xs):
    """Numerically safe softmax.

    >>> [round(p, 4) for p in softmax([0, 0])]
    [0.5, 0.5]
    >>> [round(p, 4) for p in softmax([1, 0])]
    [0.7311, 0.2689]
    """
    top = max(xs)
    es = [math.exp(x - top) for x in xs]
    total = sum(es)
    return [e / total for e in es]


def attend(query, keys, values, scale=True):
    """Return the softmax-weighted mean of ``values``.

    Two equal keys share evenly, so values 4 and 10 give 7:

    >>> attend((1, 1), [(1, 0), (0, 1)], [4, 10])
    7.0
    """
    div = math.sqrt(len(query)) if scale else 1.0
    scores = [sum(a * b for a, b in zip(query, k)) / div for k in keys]
    return sum(w * v for w, v in zip(softmax(scores), values))
