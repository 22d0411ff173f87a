"""Chapter 2: gradient descent on four points.

Before we train a transformer we train a straight line. Same loop, fewer GPUs.
Every comment after an arrow is what you should see in the interpreter.
"""

X = [1, 2, 3, 4]
Y = [3, 5, 7, 8]
w, b = 0.5, 0.0
lr = 0.05


def look(w, b):
    """residuals, mean squared error, and its two derivatives"""
    r = [w * x + b - y for x, y in zip(X, Y)]
    mse = sum(e * e for e in r) / len(r)
    dw = 2 * sum(e * x for e, x in zip(r, X)) / len(r)
    db = 2 * sum(r) / len(r)
    return r, mse, dw, db


r, mse, dw, db = look(w, b)
print(r)             # -> [-2.5, -4.0, -5.5, -6.0]
print(mse)           # -> 22.125   (6.25 + 16 + 30.25 + 36, divided by 4)
print(dw)            # -> -25.5     2 * (-2.5 - 8 - 16.5 - 24) / 4
print(db)            # -> -9.0      2 * (-18) / 4

# One step downhill.
w, b = w - lr * dw, b - lr * db
print(round(w, 4))   # -> 1.775
print(round(b, 4))   # -> 0.45

# The error has collapsed:
r, mse, dw, db = look(w, b)
print([round(e, 3) for e in r])   # -> [-0.775, -1.0, -1.225, -0.45]
print(round(mse, 4))              # -> 0.8559

# A second step, now that the slope is gentler, is a much shorter one.
w, b = w - lr * dw, b - lr * db
print(round(w, 4), round(b, 4))   # -> 1.9813 0.5363
print(round(look(w, b)[1], 4))    # -> 0.2418
