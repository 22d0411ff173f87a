import math

# rotate the pair (x, y) at position m by the angle m * theta
theta = 0.1
m, x, y = 5, 1.0, 2.0

angle = m * theta                                   # 0.5
c, s = math.cos(angle), math.sin(angle)
print(round(c, 4), round(s, 4))                     # 0.8776 0.4794

rx = x * c - y * s
ry = x * s + y * c
print(round(rx, 4), round(ry, 4))                   # -0.0813 2.2346

# a rotation keeps the length
print(round(rx * rx + ry * ry, 4))                  # 5.0
print(x * x + y * y)                                # 5.0
