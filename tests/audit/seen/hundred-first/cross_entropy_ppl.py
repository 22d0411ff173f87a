# cross_entropy_ppl.py -- toy perplexity, used in the reading group
import math

# probability the model gave to each token that really came
probs = [0.42, 0.07, 0.85, 0.30, 0.61]

nll = [-math.log(p) for p in probs]
print([round(x, 4) for x in nll])      # [0.8675, 2.6593, 0.1625, 1.204, 0.4943]

total = sum(nll)
print(round(total, 4))                 # 5.3875
mean = total / len(probs)
print(round(mean, 4))                  # 1.0775   (nats per token)
print(round(mean / math.log(2), 4))    # 1.5545   (bits per token)
print(round(math.exp(mean), 3))        # 2.937    <- perplexity

# the same thing as an inverse geometric mean
prod = math.prod(probs)
print(round(prod, 8))                  # 0.00457317
print(round(prod ** (-1 / 5), 3))      # 2.937

# One token, token 2, makes up 2.6593 / 5.3875 = 49.4% of the loss. Had it been
# 0.70 rather than 0.07, the total would fall by ln 10 = 2.3026 to 3.0850,
# the mean to 0.6170 and the perplexity to 1.853.

# --- from logits ---------------------------------------------------------
z = [3.1, 1.2, -0.4, 0.7]
e = [math.exp(v) for v in z]
print([round(v, 3) for v in e])        # [22.198, 3.32, 0.67, 2.014]
s = sum(e)
print(round(s, 3))                     # 28.202
p = [v / s for v in e]
print([round(v, 3) for v in p])        # [0.787, 0.118, 0.024, 0.071]

target = 1
loss = math.log(s) - z[target]         # 3.3394 - 1.2
print(round(loss, 4))                  # 2.1394

grad = [v - (i == target) for i, v in enumerate(p)]
print([round(g, 3) for g in grad])     # [0.787, -0.882, 0.024, 0.071]
