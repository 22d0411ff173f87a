# ffn_neuron.py -- feed-forward layer by hand, 3 -> 4 -> 2, ReLU in between
# (companion to lecture 9; run it after you have done the sums yourself)

x = [0.8, -1.2, 0.5]

W1 = [[1.0, -0.5, 0.25],
      [-0.6, 0.4, 1.1],
      [0.3, 0.9, 2.0],
      [0.7, -0.2, -0.4]]
b1 = [0.1, 0.2, -0.3, 0.05]

W2 = [[0.5, -1.0, 2.0, 1.5],
      [1.0, 0.25, -0.5, -2.0]]
b2 = [0.2, -0.1]


def linear(W, b, v):
    return [sum(w * a for w, a in zip(row, v)) + c for row, c in zip(W, b)]


h = linear(W1, b1, x)
# neuron 0:  0.8  + 0.6  + 0.125 + 0.1  =  1.625
# neuron 1: -0.48 - 0.48 + 0.55  + 0.2  = -0.21
# neuron 2:  0.24 - 1.08 + 1.0   - 0.3  = -0.14
# neuron 3:  0.56 + 0.24 - 0.2   + 0.05 =  0.65

a = [max(0.0, t) for t in h]
# ReLU switches off neurons 1 and 2: [1.625, 0, 0, 0.65]

y = linear(W2, b2, a)
# y[0] = 0.5 * 1.625 + 1.5 * 0.65 + 0.2 = 0.8125 + 0.975 + 0.2 = 1.7875
# y[1] = 1.0 * 1.625 - 2.0 * 0.65 - 0.1 = 1.625 - 1.3 - 0.1 = 0.225

# parameters: 4 * 3 + 4 + 2 * 4 + 2 = 26
print(h, a, y)
