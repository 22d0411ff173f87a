"""Exercise 2.1: forward pass of a 2-2-1 network, checked line by line.

Hand in the comments; the tutor will run the file.
"""
import math

x = [0.5, -1.2]
W1 = [[0.4, -0.3], [0.7, 0.2]]
b1 = [0.1, -0.05]
W2 = [1.1, -0.6]
b2 = 0.2

# hidden layer, ReLU
z1 = W1[0][0] * x[0] + W1[0][1] * x[1] + b1[0]   # 0.4*0.5 + (-0.3)*(-1.2) + 0.1 = 0.66
z2 = W1[1][0] * x[0] + W1[1][1] * x[1] + b1[1]   # 0.7*0.5 + 0.2*(-1.2) - 0.05 = 0.06
h1 = max(0.0, z1)                                # 0.66
h2 = max(0.0, z2)                                # 0.06

# output layer
s = W2[0] * h1 + W2[1] * h2 + b2                 # 1.1*0.66 - 0.6*0.06 + 0.2 = 0.890
y = 1 / (1 + math.exp(-s))                       # sigmoid(0.890) = 0.7089
print(f"{y:.4f}")                                # -> 0.7089

# losses for both possible labels
loss_pos = -math.log(y)                          # 0.3441
loss_neg = -math.log(1 - y)                      # 1.2341
print(round(loss_pos, 4), round(loss_neg, 4))

# parameters: 2*2 + 2 + 2*1 + 1 = 9
n_params = 2 * 2 + 2 + 2 * 1 + 1
print(n_params)                                  # 9

# gradient of loss_pos with respect to s is y - 1
g = y - 1                                        # -0.2911
dW2 = [g * h1, g * h2]                           # [0.1921, -0.0175]
