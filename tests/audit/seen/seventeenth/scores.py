"""Attention scores for three tokens, with nothing but lists.

Run me:  python scores.py
"""

Q = [[1, 0, 2], [0, 1, 1], [2, 1, 0]]
K = [[2, 1, 0], [1, 1, 1], [0, 3, -1]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def scores(q, keys):
    return [dot(q, k) for k in keys]


# token 1: 1*2 + 0*1 + 2*0 = 2,  1*1 + 0*1 + 2*1 = 3,  1*0 + 0*3 - 2*1 = -2
print(scores(Q[0], K))          # [2, 3, -2]

# token 2: 0*2 + 1*1 + 1*0 = 1,  0*1 + 1*1 + 1*1 = 2,  0*0 + 1*3 - 1*1 = 2
print(scores(Q[1], K))          # [1, 2, 2]

# token 3: 2*2 + 1*1 + 0*0 = 5,  2*1 + 1*1 + 0*1 = 3,  2*0 + 1*3 - 0*1 = 4
print(scores(Q[2], K))          # [5, 3, 3]

# who looks at whom most? (index of the largest score, counted from 0)
for q in Q:
    s = scores(q, K)
    print(s.index(max(s)))      # 1, 1, 0

# the sum over all nine scores is the dot product of the summed
# queries, (3, 2, 3), and the summed keys, (3, 5, 0):
# 3*3 + 2*5 + 3*0 = 19
print(sum(sum(scores(q, K)) for q in Q))     # 19
