"""Temperature changes how sharp a softmax is."""
import math


def softmax(logits, T=1.0):
    e = [math.exp(z / T) for z in logits]
    s = sum(e)
    return [x / s for x in e]


# Two logits only, so the first weight is 1 / (1 + exp(-2 / T)).
print([round(p, 4) for p in softmax([3, 1], T=1)])    # [0.8808, 0.1192]
print([round(p, 4) for p in softmax([3, 1], T=2)])    # [0.7311, 0.2689]
print([round(p, 4) for p in softmax([3, 1], T=0.5)])  # [0.982, 0.018]
print([round(p, 4) for p in softmax([3, 1], T=4)])    # [0.6225, 0.3775]

# entropy at T = 1, in nats
p = softmax([3, 1])
print(round(-sum(x * math.log(x) for x in p), 4))     # 0.3653
