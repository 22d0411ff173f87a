# What temperature does to one row of logits.
import math


def softmax(row, t=1.0):
    e = [math.exp(x / t) for x in row]
    s = sum(e)
    return [round(x / s, 3) for x in e]


row = [2.0, 1.0, 0.0]

softmax(row)           # [0.665, 0.245, 0.09]
softmax(row, t=0.5)    # [0.867, 0.117, 0.016]
softmax(row, t=2.0)    # [0.506, 0.307, 0.186]
softmax(row, t=10)     # [0.367, 0.332, 0.301]

# the ratio of the first two only depends on their difference
round(math.exp((2.0 - 1.0) / 0.5), 3)   # 7.389
round(math.exp((2.0 - 1.0) / 2.0), 3)   # 1.649
