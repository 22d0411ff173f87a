"""Int8 matrix-vector product, step by step.

Companion to the quantisation page in the wiki: symmetric, per tensor, no zero point.
Numbers in the comments are what you get if you paste the line into a REPL.
"""

w = [[0.524, -1.27, 0.031],
     [-0.806, 0.347, 1.1]]
x = [2.54, -0.6, 1.1]

# scale = max|.| / 127
s_w = 1.27 / 127        # 0.01
s_x = 2.54 / 127        # 0.02

q_w = [[round(a / s_w) for a in row] for row in w]
# [[52, -127, 3], [-81, 35, 110]]
q_x = [round(a / s_x) for a in x]
# [127, -30, 55]

# integer accumulators, this is what the NPU does in int32
acc = [sum(a * b for a, b in zip(row, q_x)) for row in q_w]
# row 0:  52*127 + (-127)*(-30) + 3*55  = 10579
# row 1: -81*127 + 35*(-30) + 110*55    = -3187

# back to real numbers: one multiplication with s_w * s_x = 0.0002
y_q = [round(a * s_w * s_x, 4) for a in acc]
# [2.1158, -1.0574]

y = [round(sum(a * b for a, b in zip(row, x)), 5) for row in w]
# [2.12706, -1.04544]

err = [round(a - b, 5) for a, b in zip(y_q, y)]
# [-0.01126, -0.01196]

# Most of it comes from single weights: 0.524 is stored as 0.52, an error of -0.004, times x[0] = 2.54
# makes -0.01016 of the -0.01126 in row 0. Per-channel scales would help row 1 only, its max is 1.1:
s_row1 = 1.1 / 127
print(round(s_row1, 6))         # 0.008661
print(round(-0.806 / s_row1))   # -93

# int32 headroom: a row of 4096 products can reach 4096 * 127 * 127
print(4096 * 127 * 127)         # 66064384, far below 2**31 - 1 = 2147483647
