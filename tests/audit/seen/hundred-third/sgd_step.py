# One SGD step on a logistic neuron, every number in a comment.
# (I print this and hang it over my desk. -- R.)
import math

x, y = 1.5, 1.0          # one example with label 1
w, b = 0.4, 0.2          # start
lr = 0.5

# forward
z = w * x + b                       # 0.4 * 1.5 + 0.2 = 0.8
p = 1 / (1 + math.exp(-z))          # sigmoid(0.8) = 0.6900
loss = -math.log(p)                 # -ln 0.6900 = 0.3711

# backward: dL/dz = p - y
dz = p - y                          # 0.6900 - 1 = -0.3100
dw = dz * x                         # -0.3100 * 1.5 = -0.4560
db = dz                             # -0.3100

# update
w -= lr * dw                        # 0.6325
b -= lr * db                        # 0.3550

# forward again
z2 = w * x + b                      # 1.3038
p2 = 1 / (1 + math.exp(-z2))        # 0.7865
loss2 = -math.log(p2)               # 0.2402

print(f"loss {loss:.3f} -> {loss2:.3f}")             # loss 0.371 -> 0.240
print(f"down by {100 * (1 - loss2 / loss):.1f}%")    # down by 35.3%
