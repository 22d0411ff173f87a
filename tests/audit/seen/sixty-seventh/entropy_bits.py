from math import log, log2

p = [0.4, 0.3, 0.2, 0.1]      # an attention row

# the four terms -p log2 p
print(round(-0.4 * log2(0.4), 3))    # 0.529
print(round(-0.3 * log2(0.3), 3))    # 0.521
print(round(-0.2 * log2(0.2), 3))    # 0.464
print(round(-0.1 * log2(0.1), 3))    # 0.332

H = -sum(a * log2(a) for a in p)
print(round(H, 3))                   # 1.846 bits
print(round(H * log(2), 3))          # 2.664 nats

# at most log2(4) = 2 bits, so
print(round(H / 2, 3))               # 0.923 of the maximum
print(round(2 ** H, 2))              # 3.6 "effective" tokens
