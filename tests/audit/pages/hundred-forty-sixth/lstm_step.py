"""One step of a scalar LSTM, for people who like to see the numbers.

Everything has size 1, so a "weight matrix" is a single number and you can
follow along with a calculator.  Values in the comments are rounded to four
decimals.
"""
from math import exp, tanh


def sigmoid(z):
    return 1 / (1 + exp(-z))


x, h, c = 1.0, 0.5, 0.8          # input, previous hidden state, previous cell

#          W_x   W_h   bias
forget = ( 0.5,  0.4,  1.0)
inp    = ( 0.6, -0.2,  0.0)
output = (-0.3,  0.8,  0.1)
cand   = ( 0.9,  0.2, -0.1)


def pre(gate):
    wx, wh, b = gate
    return wx * x + wh * h + b


# pre-activations
#   forget   0.5*1 + 0.4*0.5 + 1.0 = 1.7      <- note the bias of 1
#   input    0.6*1 - 0.2*0.5       = 0.5
#   output  -0.3*1 + 0.8*0.5 + 0.1 = 0.2
#   cand     0.9*1 + 0.2*0.5 - 0.1 = 0.9
f = sigmoid(pre(forget))         # 0.8455
i = sigmoid(pre(inp))            # 0.6225
o = sigmoid(pre(output))         # 0.5498
g = tanh(pre(cand))              # 0.7163

# keep most of the old cell, add some of the candidate:
#   0.8455 * 0.8 = 0.6764   and   0.6225 * 0.7163 = 0.4459
c_new = f * c + i * g            # 1.1223
h_new = o * tanh(c_new)          # 0.5498 * 0.8084 = 0.4445

# With f held at this value, what is left of a memory after ten steps?
left = f ** 10                   # about 0.187
