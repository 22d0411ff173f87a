"""Markov chain warm-up for the language model lecture.

States: sunny, cloudy, rainy.  Row = today, column = tomorrow.
"""

P = [[0.6, 0.3, 0.1],
     [0.4, 0.4, 0.2],
     [0.2, 0.3, 0.5]]


def step(p):
    return [sum(p[i] * P[i][j] for i in range(3)) for j in range(3)]


def show(p):
    print([round(v, 4) for v in p])


# Today is sunny.
p = [1.0, 0.0, 0.0]
p = step(p)
show(p)          # [0.6, 0.3, 0.1], just the first row

# The day after tomorrow, term by term:
#   sunny   0.6*0.6 + 0.3*0.4 + 0.1*0.2
#           = 0.36 + 0.12 + 0.2 = 0.50
#   cloudy  0.6*0.3 + 0.3*0.4 + 0.1*0.3
#           = 0.18 + 0.12 + 0.03 = 0.33
#   rainy   0.6*0.1 + 0.3*0.2 + 0.1*0.5
#           = 0.06 + 0.06 + 0.05 = 0.17
p = step(p)
show(p)          # [0.5, 0.33, 0.17]

p = step(p)
show(p)          # [0.466, 0.333, 0.201]

# In the long run the start is forgotten.  Solving pi = pi P by hand
# gives pi = (4/9, 3/9, 2/9):
for _ in range(50):
    p = step(p)
show(p)          # [0.4444, 0.3333, 0.2222]

# A sunny spell lasts 1 / (1 - 0.6) = 2.5 days on average,
# a rainy one 1 / (1 - 0.5) = 2 days.
print(1 / (1 - P[0][0]), 1 / (1 - P[2][2]))   # 2.5 2.0
