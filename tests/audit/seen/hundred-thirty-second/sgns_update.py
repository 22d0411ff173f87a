# word2vec, skip-gram with negative sampling: a single update
#
# centre word v, one true context word, two sampled "noise" words.

import numpy as np

v = np.array([0.2, -0.4])
u_pos = np.array([0.5, 0.1])
u_neg = np.array([[-0.3, 0.6],
                  [0.4, 0.2]])
lr = 0.5


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


# scores
s_pos = u_pos @ v            # 0.5*0.2 - 0.1*0.4 = 0.06
s_neg = u_neg @ v            # -0.30 and 0.00

# the model's probability that the pair is a real one
p_pos = sigmoid(s_pos)       # 0.5150
p_neg = sigmoid(s_neg)       # 0.4256 and 0.5000

# loss = -log p_pos - log(1 - p_neg1) - log(1 - p_neg2)
loss = -np.log(p_pos) - np.log(1 - p_neg).sum()
# 0.6636 + 0.5544 + 0.6931 = 1.9111

# errors: p - 1 for the true pair, p for the noise pairs
e_pos = p_pos - 1            # -0.4850
grad_v = e_pos * u_pos + p_neg @ u_neg
# first component:  -0.48500*0.5 - 0.42556*0.3 + 0.5*0.4 = -0.1702
# second component: -0.48500*0.1 + 0.42556*0.6 + 0.5*0.2 = 0.3068

# both kinds of vectors move (the noise vectors too, not shown)
u_pos = u_pos - lr * e_pos * v   # [0.5485, 0.0030]
v = v - lr * grad_v              # [0.2851, -0.5534]
print(v, u_pos, loss)
