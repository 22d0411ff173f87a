"""A tiny attention demo without numpy."""
import math

q = [1.0, 2.0]
keys = [[1.0, 1.0], [-1.0, 1.0]]
values = [5.0, -1.0]

# dot products: 1*1 + 2*1 = 3 and 1*(-1) + 2*1 = 1
scores = [sum(a * b for a, b in zip(q, k)) for k in keys]

# divide by sqrt(2) = 1.4142: 3 / 1.4142 = 2.1213, 1 / 1.4142 = 0.7071
scaled = [s / math.sqrt(2) for s in scores]

# softmax: weights 0.8044 and 0.1956
e = [math.exp(s) for s in scaled]
weights = [x / sum(e) for x in e]

# output: 5 * 0.8044 - 1 * 0.1956 = 4.22
out = sum(w * v for w, v in zip(weights, values))

if __name__ == "__main__":
    print(round(out, 4))
