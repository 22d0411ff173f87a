#!/usr/bin/env python3
# Attention is a weighted average. Nothing more!
# (demo for the reading group; results are in the comments so you can
#  read it on the phone without running it)

weights = [0.1, 0.6, 0.3]          # one row of the attention matrix, sums to 1.0

values = [
    [2.0,  0.0, 1.0],              # v_a
    [4.0, -1.0, 3.0],              # v_b
    [1.0,  5.0, 0.5],              # v_c
]


def mix(weights, values):
    width = len(values[0])
    return [sum(w * v[j] for w, v in zip(weights, values)) for j in range(width)]


out = mix(weights, values)
# component 0:  0.1*2 + 0.6*4 + 0.3*1     = 0.2 + 2.4 + 0.3  = 2.9
# component 1:  0.1*0 + 0.6*(-1) + 0.3*5  = 0.0 - 0.6 + 1.5  = 0.9
# component 2:  0.1*1 + 0.6*3 + 0.3*0.5   = 0.1 + 1.8 + 0.15 = 2.50

# If the head is clueless, every weight is 1/3 and we get the plain mean:
flat = mix([1 / 3] * 3, values)
# component 0: 7 / 3   = 2.333
# component 1: 4 / 3   = 1.333
# component 2: 4.5 / 3 = 1.500

# Swap the attention between a and b:
swapped = mix([0.6, 0.1, 0.3], values)
# component 0: 1.2 + 0.4 + 0.3  = 1.9
# component 1: 0.0 - 0.1 + 1.5  = 1.4
# component 2: 0.6 + 0.3 + 0.15 = 1.05

# The difference out - swapped is 0.5 * (v_b - v_a) = 0.5 * [2, -1, 2] = [1, -0.5, 1]
print(out, flat, swapped)
