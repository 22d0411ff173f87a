"""QKV projection of a single token, spelled out.

The token embedding is x = [1, 2, -1]. Each weight matrix maps three
numbers to two:

    q = x Wq = [0, 1]
    k = x Wk = [4, 1]
    v = x Wv = [3, -1]
"""

x = [1.0, 2.0, -1.0]

Wq = [[1, 0],
      [0, 1],
      [1, 1]]
Wk = [[2, 0],
      [1, 1],
      [0, 1]]
Wv = [[0, 1],
      [1, 0],
      [1, 2]]


def project(vec, mat):
    """Row vector times matrix."""
    return [sum(vec[i] * mat[i][j] for i in range(len(vec)))
            for j in range(len(mat[0]))]


q = project(x, Wq)
k = project(x, Wk)
v = project(x, Wv)

# The self score is q.k = 0*4 + 1*1 = 1,
# scaled by sqrt(2) it is 0.7071.
score = sum(a * b for a, b in zip(q, k)) / 2 ** 0.5

if __name__ == "__main__":
    print(q, k, v)
    print(round(score, 4))  # 0.7071
    # each matrix has 3 * 2 = 6 weights, 18 in all
