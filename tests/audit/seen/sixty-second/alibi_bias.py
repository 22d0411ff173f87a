"""Attention with linear biases (ALiBi): slopes and penalties.

For H = 8 heads, the slope of head h (h = 1, ..., 8) is m_h = 2 ** (-8 h / H).
The score of a key at distance t is lowered by m_h * t.
"""
H = 8
slopes = [2 ** (-8 * h / H) for h in range(1, H + 1)]

slopes[0]         # 0.5
slopes[2]         # 0.125
slopes[7]         # 0.00390625

# Penalties at distance 12.
-slopes[0] * 12   # -6.0
-slopes[2] * 12   # -1.5
-slopes[7] * 12   # -0.46875

# A raw score of 3.4 at distance 12 becomes, in the third head,
3.4 - slopes[2] * 12   # 1.9

# The sum of all eight slopes is a finite geometric series, 1 - 2 ** -8.
sum(slopes)       # 0.99609375
