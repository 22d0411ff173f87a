"""Attention for a single query, spelled out (no numpy).

Run:  python attention_by_hand.py     (tested with 3.11.4)
"""
import math

q = [0.2, 1.1, -0.5]
keys = [[1.0, 0.5, 0.0], [0.3, -1.0, 2.0], [0.8, 2.0, 1.0]]
values = [[1, 0], [0, 1], [2, 2]]

# Step 1: dot products
#   q.k1 = 0.2*1.0 + 1.1*0.5 - 0.5*0.0 = 0.20 + 0.55 - 0.00 =  0.75
#   q.k2 = 0.2*0.3 - 1.1*1.0 - 0.5*2.0 = 0.06 - 1.10 - 1.00 = -2.04
#   q.k3 = 0.2*0.8 + 1.1*2.0 - 0.5*1.0 = 0.16 + 2.20 - 0.50 =  1.86
scores = [sum(a * b for a, b in zip(q, k)) for k in keys]

# Step 2: divide by sqrt(3) = 1.732
#   0.433, -1.178, 1.074
scaled = [s / math.sqrt(len(q)) for s in scores]

# Step 3: softmax
#   exp: 1.542, 0.308, 2.927; sum = 4.477
#   weights: 0.323, 0.064, 0.613
exps = [math.exp(s) for s in scaled]
weights = [e / sum(exps) for e in exps]

# Step 4: mix the values
#   first coordinate:  0.323*1 + 0.064*0 + 0.613*2 = 1.549
#   second coordinate: 0.323*0 + 0.064*1 + 0.613*2 = 1.290
out = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(2)]

if __name__ == "__main__":
    print("weights", [round(w, 3) for w in weights])
    print("output ", [round(o, 2) for o in out])
    # TODO(2024-02-11): batch version, see issue 37
