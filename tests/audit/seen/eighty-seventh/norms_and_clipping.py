"""RMSNorm and gradient clipping on tiny vectors (lecture 9, handout 2)."""
import math

# --- RMSNorm: the squares 1 + 4 + 4 + 16 add up to 25, and sqrt(25 / 4) = 2.5
x = [1, 2, 2, 4]
rms = math.sqrt(sum(v * v for v in x) / len(x))
print(rms)  # 2.5
print([round(v / rms, 2) for v in x])  # [0.4, 0.8, 0.8, 1.6]

# --- Norms of a gradient
g = [3, -4, 12]
l1 = sum(abs(v) for v in g)
l2 = math.sqrt(sum(v * v for v in g))
print(l1)  # 19
print(l2)  # 13.0
print(max(abs(v) for v in g))  # 12

# --- Clip to norm 5
scale = 5 / l2
print(round(scale, 4))  # 0.3864
clipped = [round(v * scale, 4) for v in g]
print(clipped)  # [1.1538, -1.5385, 4.6154]

# A gradient of norm 4 would be left as it is, since 4 < 5.
print(min(1, 5 / 4))  # 1
