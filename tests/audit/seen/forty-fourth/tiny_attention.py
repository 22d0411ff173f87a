"""One attention step in plain Python, for the reading group.

Every comment shows what I get when I run the line.
"""
import math

q = [2, 1]
keys = [[3, 1], [0, 2], [1, 1]]
values = [10.0, 20.0, 40.0]

scores = [sum(a * b for a, b in zip(q, k)) for k in keys]
# 2*3 + 1*1 = 7
# 2*0 + 1*2 = 2
# 2*1 + 1*1 = 3
print(scores)            # [7, 2, 3]

scaled = [s / math.sqrt(len(q)) for s in scores]
print([round(s, 3) for s in scaled])    # [4.95, 1.414, 2.211]

exps = [math.exp(s) for s in scaled]
total = sum(exps)
weights = [e / total for e in exps]
print([round(w, 3) for w in weights])   # [0.919, 0.027, 0.054]
print(round(sum(weights), 6))           # 1.0

out = sum(w * v for w, v in zip(weights, values))
print(round(out, 2))                    # 11.9
