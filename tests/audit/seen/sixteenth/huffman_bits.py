"""Huffman codes and entropy for a four-letter alphabet.

    letter   probability   code   length
    a        0.4           0      1
    b        0.3           10     2
    c        0.2           110    3
    d        0.1           111    3

The average length is 0.4 * 1 + 0.3 * 2 + 0.2 * 3 + 0.1 * 3 = 2.1 bits.
"""
import heapq
import math

p = {"a": 0.4, "b": 0.3, "c": 0.2, "d": 0.1}


def huffman(p):
    heap = [(q, i, [s]) for i, (s, q) in enumerate(p.items())]
    length = dict.fromkeys(p, 0)
    heapq.heapify(heap)
    n = len(heap)
    while len(heap) > 1:
        q1, _, s1 = heapq.heappop(heap)
        q2, _, s2 = heapq.heappop(heap)
        for s in s1 + s2:
            length[s] += 1
        heapq.heappush(heap, (q1 + q2, n, s1 + s2))
        n += 1
    return length


L = huffman(p)
print(L)                                     # {'a': 1, 'b': 2, 'c': 3, 'd': 3}
avg = sum(p[s] * L[s] for s in p)
H = -sum(q * math.log2(q) for q in p.values())
print(f"{H:.4f}")                            # 1.8464   entropy
print(f"{avg - H:.4f}")                      # 0.0536   what Huffman wastes
print(2 ** -1 + 2 ** -2 + 2 ** -3 + 2 ** -3)     # 1.0   Kraft sum

# "abacad" has 1 + 2 + 1 + 3 + 1 + 3 = 11 bits; with two bits per letter it
# would be 12. A language model with a loss of 1.85 bits would do slightly better.
