# positions.py: sinusoidal position codes, the four-dimensional pocket edition
#
# pair 0 turns by 1 radian per position (57.3 degrees, one turn in 6.28 positions),
# pair 1 turns by 10000 ** -0.5 = 0.01 radian (one turn in about 628 positions).
# The formula is from section 3.5 of "Attention is all you need" (2017).

from math import cos, sin


def code(pos, d=4, base=10000.0):
    out = []
    for i in range(0, d, 2):
        angle = pos / base ** (i / d)
        out += [sin(angle), cos(angle)]
    return out


def show(vec):
    return " ".join(f"{v:7.4f}" for v in vec)


print(show(code(0)))     #  0.0000  1.0000  0.0000  1.0000
print(show(code(1)))     #  0.8415  0.5403  0.0100  1.0000
print(show(code(2)))     #  0.9093 -0.4161  0.0200  0.9998
print(show(code(50)))    # -0.2624  0.9650  0.4794  0.8776


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


# every code has squared length 2 (two pairs, each sin^2 + cos^2 = 1)
print(round(dot(code(17), code(17)), 6))       # 2.0

# and the dot product depends on the offset only: cos(3) + cos(0.03)
print(round(dot(code(4), code(7)), 4))         # 0.0096
print(round(dot(code(104), code(107)), 4))     # 0.0096

# I first expected "closer is always larger". False: offset 6 beats offset 3.
print(round(dot(code(0), code(6)), 4))         # 1.9584
# With d = 512 as in the paper the curve is much smoother, though not monotone.
