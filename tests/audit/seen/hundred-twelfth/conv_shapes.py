"""Shapes through the speech front end.

Nothing is trained here; run it once after touching the strides and compare with the comments.
"""
import torch
from torch import nn

x = torch.zeros(16, 1, 80, 301)                      # batch, channel, mel bins, frames (3 s, 10 ms hop)

conv1 = nn.Conv2d(1, 32, kernel_size=3, stride=2, padding=1)
conv2 = nn.Conv2d(32, 64, kernel_size=3, stride=2, padding=1)
pool = nn.MaxPool2d(2)
conv3 = nn.Conv2d(64, 64, kernel_size=5)
proj = nn.Linear(64 * 6, 256)

h = conv1(x)
print(tuple(h.shape))                                # (16, 32, 40, 151)
h = conv2(h.relu())
print(tuple(h.shape))                                # (16, 64, 20, 75)
h = pool(h.relu())
print(tuple(h.shape))                                # (16, 64, 10, 38)
h = conv3(h)
print(tuple(h.shape))                                # (16, 64, 6, 34)

# channels and mel bins become the feature axis, frames the sequence axis
h = h.permute(0, 3, 1, 2).flatten(2)
print(tuple(h.shape))                                # (16, 34, 384)
h = proj(h)
print(tuple(h.shape))                                # (16, 34, 256)


def count(m):
    return sum(p.numel() for p in m.parameters())


print(count(conv1))                                  # 320
print(count(conv2))                                  # 18496
print(count(conv3))                                  # 102464
print(count(proj))                                   # 98560
print(sum(map(count, (conv1, conv2, conv3, proj))))  # 219840
