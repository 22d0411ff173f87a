"""Two queries, three keys: attention without numpy.

Tested with Python 3.11.4 and 3.12.1 on 2024-05-17; nothing here needs
anything newer than 3.6. See Vaswani et al. (2017), section 3.2.1.
"""
import math

Q = [[1, 0, 1, 0], [0, 2, 0, 0]]
K = [[1, 1, 0, 0], [2, 0, 2, 1], [0, 1, 1, 3]]
d_k = 4          # so we divide by 2


def softmax(z):
    m = max(z)                      # the max trick, changes nothing
    e = [math.exp(x - m) for x in z]
    s = sum(e)
    return [x / s for x in e]


scores = [[sum(a * b for a, b in zip(q, k)) for k in K] for q in Q]
print(scores)  # -> [[1, 4, 1], [2, 0, 2]]
scaled = [[s / math.sqrt(d_k) for s in row] for row in scores]
print(scaled)  # -> [[0.5, 2.0, 0.5], [1.0, 0.0, 1.0]]

for_first = softmax(scaled[0])
for_second = softmax(scaled[1])
print([round(x, 3) for x in for_first])  # -> [0.154, 0.691, 0.154]
print([round(x, 3) for x in for_second])  # -> [0.422, 0.155, 0.422]

# My first guess for the second row was [0.5, 0.0, 0.5] -- wrong, because a
# score of 0 still gets weight: exp(0) is 1, not 0.
print(round(sum(for_second), 6))  # -> 1.0
# takes roughly 30 microseconds on my old laptop
