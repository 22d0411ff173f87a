"""Week 5, cross-entropy on a batch of three.

The last example has equal logits, so its loss is ln 3 = 1.0986 whatever the label.
An untrained classifier with 10 classes would start near ln 10 = 2.3026.
"""
import math


def softmax(z):
    e = [math.exp(v) for v in z]
    return [v / sum(e) for v in e]


batch = [
    ([1.5, 0.3, -0.8], 0),   # p = (0.7135, 0.2149, 0.0715)
    ([0.2, 0.2, 1.0], 1),    # p = (0.2367, 0.2367, 0.5267)
    ([0.0, 0.0, 0.0], 2),    # p = (0.3333, 0.3333, 0.3333)
]

losses = [-math.log(softmax(z)[t]) for z, t in batch]
for loss in losses:
    print(f"{loss:.4f}")
# 0.3375
# 0.6411
# 1.0986

print(f"mean {sum(losses) / len(losses):.4f}")   # mean 0.9591
print(f"ppl  {math.exp(sum(losses) / len(losses)):.3f}")    # ppl  2.609
