# A single LSTM cell with scalar state, so that one can follow every number.
# Written for the second lab session; no libraries needed.

from math import exp, tanh


def sigmoid(z):
    return 1.0 / (1.0 + exp(-z))


x = 1.0          # current input
h_prev = 0.5     # previous hidden state
c_prev = -0.3    # previous cell state

# each gate: (weight on x, weight on h, bias)
W_f = (0.4, 0.2, 0.1)
W_i = (0.5, -0.6, 0.0)
W_g = (0.9, 0.3, -0.2)
W_o = (0.7, 0.1, 0.05)


def pre(w):
    return w[0] * x + w[1] * h_prev + w[2]


# pre-activations
#   forget:     0.4 + 0.10 + 0.10 = 0.60
#   input:      0.5 - 0.30 + 0.00 = 0.20
#   candidate:  0.9 + 0.15 - 0.20 = 0.85
#   output:     0.7 + 0.05 + 0.05 = 0.80

f = sigmoid(pre(W_f))        # 0.6457
i = sigmoid(pre(W_i))        # 0.5498
g = tanh(pre(W_g))           # 0.6911
o = sigmoid(pre(W_o))        # 0.6900

# keep part of the old cell, write part of the candidate:
#   0.6457 * (-0.3) + 0.5498 * 0.6911 = -0.1937 + 0.3800
c = f * c_prev + i * g       # 0.1863
h = o * tanh(c)              # 0.6900 * 0.1842 = 0.1271

print(f"c = {c:.4f}, h = {h:.4f}")
# c = 0.1863, h = 0.1271

# If the forget gate were stuck at 1 the old value would be carried over whole:
print(f"{c_prev + i * g:.4f}")   # 0.0800
