#!/usr/bin/env python3
# Macro, micro and weighted F1 for a three-class problem.
#
#              predicted
#              cat  dog  owl
#   true cat    40    8    2      50 in all
#   true dog     7   20    3      30 in all
#   true owl     3    2   15      20 in all

M = [[40, 8, 2],
     [7, 20, 3],
     [3, 2, 15]]

n = sum(map(sum, M))
print("examples", n)                                   # examples 100

col = [sum(r[j] for r in M) for j in range(3)]
row = [sum(r) for r in M]

f1 = []
for k, name in enumerate(["cat", "dog", "owl"]):
    p = M[k][k] / col[k]
    r = M[k][k] / row[k]
    f = 2 * p * r / (p + r)
    f1.append(f)
    print(f"{name}  P {p:.4f}  R {r:.4f}  F1 {f:.4f}")
# cat  P 0.8000  R 0.8000  F1 0.8000
# dog  P 0.6667  R 0.6667  F1 0.6667
# owl  P 0.7500  R 0.7500  F1 0.7500

macro = sum(f1) / 3
weighted = sum(f * r for f, r in zip(f1, row)) / n
micro = sum(M[k][k] for k in range(3)) / n

print(f"macro {macro:.4f}")         # macro 0.7559
print(f"weighted {weighted:.4f}")   # weighted 0.7500
print(f"micro {micro:.4f}")         # micro 0.7500

# For single-label problems micro F1 is the accuracy: 40 + 20 + 15 = 75 of 100.
# Always answering "cat" would get 50 of 100 and a macro F1 of
# (2/3 + 0 + 0)/3, which is about 0.222.
