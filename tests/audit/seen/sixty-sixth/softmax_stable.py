"""Softmax without overflow: subtract the maximum first."""
import math

scores = [1000.0, 1001.0, 1003.0]

m = max(scores)                              # 1003.0
shifted = [s - m for s in scores]            # [-3.0, -2.0, 0.0]
exps = [math.exp(s) for s in shifted]
print([round(e, 4) for e in exps])           # [0.0498, 0.1353, 1.0]

total = sum(exps)
print(round(total, 4))                       # 1.1581

probs = [e / total for e in exps]
print([round(p, 4) for p in probs])          # [0.042, 0.1142, 0.8438]

log_z = m + math.log(total)
print(round(log_z, 4))                       # 1003.1698
