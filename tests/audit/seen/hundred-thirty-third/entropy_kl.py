# Entropy, cross-entropy, KL divergence: companion code to newsletter no. 12
# A weather station with four kinds of days and a forecaster who is a bit off.
from math import log, log2

p = [0.5, 0.25, 0.125, 0.125]   # how often they really happen
q = [0.4, 0.3, 0.2, 0.1]        # what the forecaster believes

# Surprise of each day in bits. For p these are whole numbers, chosen on purpose:
print([-log2(a) for a in p])             # [1.0, 2.0, 3.0, 3.0]
print([round(-log2(a), 3) for a in q])   # [1.322, 1.737, 2.322, 3.322]

# Entropy: expected surprise if you know the truth.
#   0.5*1 + 0.25*2 + 0.125*3 + 0.125*3 = 1.75
H = -sum(a * log2(a) for a in p)
print(H)                                 # 1.75

# Cross-entropy: expected surprise of the forecaster, weighted with the truth.
#   0.5*1.322 + 0.25*1.737 + 0.125*2.322 + 0.125*3.322
CE = -sum(a * log2(b) for a, b in zip(p, q))
print(round(CE, 3))                      # 1.801

# The difference is the KL divergence, the price of the wrong belief.
print(round(CE - H, 3))                  # 0.051 bits

# In nats (what PyTorch reports) everything shrinks by ln 2 = 0.6931.
print(round(CE * log(2), 3))             # 1.248

# KL is not a distance: the other way round it is a different number.
KL_qp = sum(b * log2(b / a) for a, b in zip(p, q))
print(round(KL_qp, 3))                   # 0.054

# Nobody beats the uniform distribution in uncertainty: four outcomes, log2(4) = 2 bits.
print(round(-sum(b * log2(b) for b in q), 3), log2(len(q)))   # 1.846 2.0

# Perplexity, for the language-model people: 2**1.75
print(round(2 ** H, 3))                  # 3.364
