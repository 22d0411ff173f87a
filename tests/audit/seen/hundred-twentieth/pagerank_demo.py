# Linear algebra for computer scientists, live coding of week 10
# PageRank by power iteration on four pages A, B, C, D.
#
#   A links to B and C,  B links to C,  C links to A,  D links to A and C
import numpy as np

M = np.array([
    # A    B    C    D      column = where a page sends its visitors
    [0.0, 0.0, 1.0, 0.5],   # to A
    [0.5, 0.0, 0.0, 0.0],   # to B
    [0.5, 1.0, 0.0, 0.5],   # to C
    [0.0, 0.0, 0.0, 0.0],   # to D, nobody links there
])
print(M.sum(axis=0))        # [1. 1. 1. 1.]  -> column-stochastic

d = 0.85
teleport = (1 - d) / 4      # 0.0375

r = np.full(4, 0.25)

# One component by hand: A receives all of C and half of D,
# so r_A = 0.0375 + 0.85 * (0.25 + 0.125) = 0.35625
r = teleport + d * M @ r
print(r)                    # [0.35625 0.14375 0.4625  0.0375 ]

r = teleport + d * M @ r
print(r.round(4))           # [0.4466 0.1889 0.327  0.0375]

r = teleport + d * M @ r
print(r.round(4))           # [0.3314 0.2273 0.4038 0.0375]
print(r.sum().round(4))     # 1.0

# So far A and C swap the lead in every step. The error shrinks at least by
# the factor 0.85 per iteration, so let us do a hundred of them in total:
for _ in range(97):
    r = teleport + d * M @ r
print(r.round(4))           # [0.3797 0.1989 0.3839 0.0375]
