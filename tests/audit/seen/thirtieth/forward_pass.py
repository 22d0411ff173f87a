"""Forward pass of a tiny ReLU network, with every number written out.

Used in the second tutorial (CS 231, winter 2020). Run it and compare.
"""
import math

x = [0.5, -1.0]
W1 = [[0.4, 0.2], [-0.6, 0.3], [0.1, -0.5]]
b1 = [0.1, 0.0, -0.05]
w2 = [1.2, 0.7, -0.8]
b2 = 0.3

# hidden layer, before the ReLU
#   h1 =  0.4*0.5 + 0.2*(-1.0) + 0.1     =  0.1
#   h2 = -0.6*0.5 + 0.3*(-1.0) + 0.0     = -0.6
#   h3 =  0.1*0.5 + (-0.5)*(-1.0) - 0.05 =  0.5
pre = [sum(w * v for w, v in zip(row, x)) + b for row, b in zip(W1, b1)]

# ReLU kills h2, so h = (0.1, 0, 0.5)
h = [max(0.0, p) for p in pre]

# output logit
#   1.2*0.1 + 0.7*0 - 0.8*0.5 + 0.3 = 0.20
logit = sum(w * v for w, v in zip(w2, h)) + b2

# sigmoid(0.02) = 0.505; the network has no opinion yet
p = 1 / (1 + math.exp(-logit))

# label is 1, so the loss is -ln(0.505) = 0.683, close to ln 2 = 0.693
loss = -math.log(p)

# dloss/dlogit = p - 1 = -0.495
grad = p - 1

if __name__ == "__main__":
    print(f"logit {logit:.3f}  p {p:.3f}  loss {loss:.3f}  grad {grad:.3f}")
