import math

# Label smoothing with eps = 0.1 and 5 classes
eps, n = 0.1, 5
target = 1 - eps + eps / n
other = eps / n
print(round(target, 2), other)   # 0.92 0.02

# model probabilities, class 0 is right
p = [0.7, 0.1, 0.1, 0.05, 0.05]

hard = -math.log(p[0])
print(round(hard, 4))            # 0.3567

soft = -target * math.log(p[0]) - other * sum(math.log(q) for q in p[1:])
print(round(soft, 4))            # 0.5041

print(round(math.exp(hard), 4))  # 1.4286
