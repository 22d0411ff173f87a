#!/usr/bin/env python3
# Solve  2x +  y -  z =  3
#        4x + 5y +  z = 15
#       -2x + 2y + 5z = 13       by LU, no pivoting

import numpy as np

A = np.array([[2., 1., -1.], [4., 5., 1.], [-2., 2., 5.]])
b = np.array([3., 15., 13.])

# --- eliminate column 1
# l21 = 4 / 2 = 2        row2 - 2*row1 = (0, 5-2, 1+2)  = (0, 3, 3)
# l31 = -2 / 2 = -1      row3 + 1*row1 = (0, 2+1, 5-1)  = (0, 3, 4)
# --- eliminate column 2
# l32 = 3 / 3 = 1        row3 - 1*row2 = (0, 0, 4-3)    = (0, 0, 1)

L = np.array([[1., 0., 0.], [2., 1., 0.], [-1., 1., 1.]])
U = np.array([[2., 1., -1.], [0., 3., 3.], [0., 0., 1.]])
assert np.allclose(L @ U, A)

# det A = 2 * 3 * 1 = 6

# --- forward:  L c = b
# c1 = 3
# c2 = 15 - 2*3      = 9
# c3 = 13 + 3 - 9    = -7
# --- back:  U x = c
# z = 7 / 1                  = 7
# y = (9 - 3*7) / 3 = -12/3  = -4
# x = (3 - (-4) + 7) / 2 = 14/2 = 7
x = np.array([7., -4., 7.])
assert np.allclose(A @ x, b)

# check in the equations:
#   2*7 - 4 - 7        = 3
#   4*7 - 5*4 + 7      = 15
#   -2*7 - 2*4 + 5*7   = 13
print(x)
