# How sure are we about "87.5 % accuracy"?  175 right out of 200.
from math import comb, sqrt

n, k, z = 200, 175, 1.96
p = k / n
print(p)                                  # 0.875

# 1) Wald interval
se = sqrt(p * (1 - p) / n)
print(round(se, 5))                       # 0.02339
print(round(p - z * se, 4), round(p + z * se, 4))
# 0.8292 0.9208

# 2) Wilson interval, better near 0 and 1
den = 1 + z**2 / n                        # 1 + 3.8416/200 = 1.019208
mid = (p + z**2 / (2 * n)) / den
half = z * sqrt(p * (1 - p) / n + z**2 / (4 * n**2)) / den
print(round(mid, 4), round(half, 4))      # 0.8679 0.0459
print(round(mid - half, 4), round(mid + half, 4))
# 0.8220 0.9139

# How many test items for a half-width of 2 points (Wald)?
need = z**2 * p * (1 - p) / 0.02**2
print(round(need, 1))                     # 1050.4 -> 1051 items

# 3) Two models on the same 200 items: B fixes 14 errors of A and
#    breaks 5.  Only these 19 discordant items count (exact McNemar).
tail = sum(comb(19, i) for i in range(6))
# 1 + 19 + 171 + 969 + 3876 + 11628 = 16664
pval = 2 * tail / 2**19
print(round(pval, 4))                     # 2*16664/524288 = 0.0636
# Not quite significant at 5 %, although B gained 9 items net:
print((k + 14 - 5) / n)                   # 0.92
