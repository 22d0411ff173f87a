"""Discounted returns and TD(0), checked by hand for one episode."""

rewards = [1, 0, -2, 5]
gamma = 0.9

# Backwards, G_t = r_t + gamma * G_{t+1}:
#   G_3 = 5
#   G_2 = -2 + 0.9 * 5    = 2.5
#   G_1 =  0 + 0.9 * 2.5  = 2.25
#   G_0 =  1 + 0.9 * 2.25 = 3.025
G, returns = 0.0, []
for r in reversed(rewards):
    G = r + gamma * G
    returns.append(round(G, 4))
returns.reverse()
print(returns)                # [3.025, 2.25, 2.5, 5.0]

# The same forwards: 1 + 0 - 2 * 0.81 + 5 * 0.729 = 1 - 1.62 + 3.645 = 3.025

# TD(0) with alpha = 0.5, all values starting at zero, two sweeps
alpha = 0.5
V = [0.0, 0.0, 0.0, 0.0, 0.0]     # V[4] is the end
for sweep in range(2):
    for t, r in enumerate(rewards):
        delta = r + gamma * V[t + 1] - V[t]
        V[t] += alpha * delta
    print([round(x, 4) for x in V[:4]])
# first sweep:  [0.5, 0.0, -1.0, 2.5]
# second sweep: [0.75, -0.45, -0.375, 3.75]
#   V0: delta = 1 + 0.9 * 0 - 0.5 = 0.5,          0.5 + 0.25 = 0.75
#   V1: delta = 0 + 0.9 * (-1) - 0 = -0.9,        0 - 0.45 = -0.45
#   V2: delta = -2 + 0.9 * 2.5 + 1 = 1.25,        -1 + 0.625 = -0.375
#   V3: delta = 5 + 0 - 2.5 = 2.5,                2.5 + 1.25 = 3.75

# With gamma = 0.5 instead: G_2 = -2 + 2.5 = 0.5, G_1 = 0.25, G_0 = 1.125
