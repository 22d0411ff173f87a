# Solutions to problem set 5, question 3 (perplexity and label smoothing)
from math import exp, log, log2

# The model gave these probabilities to the four tokens that really came next:
p = [0.25, 0.5, 0.125, 0.5]

# (a) Surprise of each token in bits, and the mean
bits = [-log2(v) for v in p]
print(bits)                      # [2.0, 1.0, 3.0, 1.0]
mean_bits = sum(bits) / len(bits)
print(mean_bits)                 # 1.75  (7 bits over 4 tokens)

# (b) Perplexity, in two ways that must agree
print(round(2 ** mean_bits, 4))  # 3.3636
nats = -sum(log(v) for v in p) / 4
print(round(nats, 4))            # 1.213
print(round(exp(nats), 4))       # 3.3636

# The product of the four is 0.25 * 0.5 * 0.125 * 0.5 = 1/128 = 0.0078125, and the
# perplexity is the fourth root of 128.

# (c) Suppose the third token had got 0.25 instead of 0.125. One bit less:
#     mean = (2 + 1 + 2 + 1) / 4 = 1.5 bits, perplexity = 2 ** 1.5
print(round(2 ** 1.5, 4))        # 2.8284

# (d) Label smoothing with eps = 0.1 and 5 classes. The right class gets
#     1 - eps + eps / 5, each of the other four eps / 5.
eps, n = 0.1, 5
right, other = 1 - eps + eps / n, eps / n
print(round(right, 2), round(other, 2))   # 0.92 0.02
print(round(right + 4 * other, 2))        # 1.0

# (e) Loss of a prediction q = (0.8, 0.05, 0.05, 0.05, 0.05) against the smoothed target
loss = -right * log(0.8) - 4 * other * log(0.05)
print(round(loss, 4))            # 0.445
#     and against the hard target it is -log(0.8)
print(round(-log(0.8), 4))       # 0.2231
