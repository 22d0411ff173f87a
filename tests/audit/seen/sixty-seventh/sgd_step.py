# One neuron, one example, squared loss.
x = [1.0, -2.0, 0.5]
w = [0.4, 0.1, -0.6]
b = 0.2
target = 1.0

y = sum(wi * xi for wi, xi in zip(w, x)) + b
# 0.4*1.0 + 0.1*(-2.0) + (-0.6)*0.5 + 0.2 = 0.4 - 0.2 - 0.3 + 0.2 = 0.1
err = y - target            # 0.1 - 1.0 = -0.9
loss = 0.5 * err ** 2       # 0.5 * 0.81 = 0.405

grad_w = [err * xi for xi in x]   # [-0.9, 1.8, -0.45]
grad_b = err

lr = 0.1
w = [wi - lr * gi for wi, gi in zip(w, grad_w)]
b = b - lr * grad_b
print([round(v, 3) for v in w])   # [0.49, -0.08, -0.555]
print(round(b, 3))                # 0.29

y = sum(wi * xi for wi, xi in zip(w, x)) + b
print(round(y, 4))                # 0.6625
