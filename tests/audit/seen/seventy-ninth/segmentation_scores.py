#!/usr/bin/env python3
"""Scores for the segmentation practical (three classes, 10 000 pixels).

Usage: python segmentation_scores.py
"""

#            tp    fp    fn
counts = {
    "road": (4120, 260, 380),
    "tree": (2875, 410, 325),
    "sky":  (1980, 355, 320),
}

# 4120 + 2875 + 1980 = 8975 pixels are right, and every wrong pixel is
# one false negative: 380 + 325 + 320 = 1025.

iou, f1 = {}, {}
for name, (tp, fp, fn) in counts.items():
    iou[name] = tp / (tp + fp + fn)
    f1[name] = 2 * tp / (2 * tp + fp + fn)

print(round(iou["road"], 4))   # 4120 / 4760 = 0.8655
print(round(iou["tree"], 4))   # 2875 / 3610 = 0.7964
print(round(iou["sky"], 4))    # 1980 / 2655 = 0.7458

mean_iou = sum(iou.values()) / 3
print(round(mean_iou, 4))      # 0.8092

print(round(f1["road"], 4))    # 8240 / 8880 = 0.9279
print(round(f1["tree"], 4))    # 5750 / 6485 = 0.8867
print(round(f1["sky"], 4))     # 3960 / 4635 = 0.8544

accuracy = (4120 + 2875 + 1980) / 10_000
print(f"{accuracy:.2%}")       # 89.75%

# precision of "sky": 1980 / (1980 + 355) = 0.8480
# recall of "tree":   2875 / (2875 + 325) = 0.8984
