"""One update of skip-gram or CBOW with negative sampling, on the rows of two tables.

The negatives are shared by all words of a window, so that scores, gradients and updates are small matrix products
(Ji et al., Parallelizing Word2Vec in Shared and Distributed Memory, 2016). With x the vectors of the near words, c the
context vectors of the word between them and of the negatives, and y = 1 for the word, 0 for a negative:

    scores = x · cᵀ      error = y − logistic(scores)      x += rate · error · c      c += rate · errorᵀ · x
"""

import numpy as np

from regard.training.vectors.compiling import compiled

MOST, STEPS = 10, 128  # the table of the logistic function: between −10 and 10, in steps of 1/128
LOGISTIC = (1 / (1 + np.exp(-np.arange(-MOST * STEPS, MOST * STEPS + 2) / STEPS))).astype(np.float32)
ZERO = np.float32(0)


def room(window: int, negatives: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Where an update keeps its errors and its moves meanwhile: near words × drawn ones, and near words × numbers."""
    return np.zeros((2 * window + 3, negatives + 2), np.float32), np.zeros((2 * window, width), np.float32)


@compiled
def logistic(score, table):
    """1 / (1 + e⁻ˢ) from a table, by lines between its points: within 1e-6, and beyond ±10 within 5e-5."""
    place = (min(max(score, np.float32(-MOST)), np.float32(MOST)) + np.float32(MOST)) * np.float32(STEPS)
    below = np.int64(place)
    return table[below] + (place - np.float32(below)) * (table[below + 1] - table[below])


@compiled
def update_skipgram(vectors, contexts, near, near_count, drawn, drawn_count, rate, table, errors, moves):
    """Every near word predicts the word between them (drawn[0]) and rejects the negatives (the rest of drawn).

    Two context vectors, and then four near words, are taken at a time, so that a row is loaded less often; where the
    last of them is missing, its neighbour stands in with an error of 0.
    """
    for i in range(near_count):
        x, move = vectors[near[i]], moves[i]
        move[:] = ZERO
        for j in range(0, drawn_count, 2):
            k = min(j + 1, drawn_count - 1)
            c, c_k = contexts[drawn[j]], contexts[drawn[k]]
            score = score_k = ZERO
            for d in range(len(x)):
                score += x[d] * c[d]
                score_k += x[d] * c_k[d]
            error = rate * (np.float32(j == 0) - logistic(score, table))
            error_k = rate * (ZERO - logistic(score_k, table)) if k > j else ZERO
            errors[i, j] = error
            errors[i, j + 1] = error_k
            for d in range(len(x)):
                move[d] += error * c[d] + error_k * c_k[d]
    for i in range(near_count, len(errors)):
        errors[i, :] = ZERO
    last = near_count - 1
    for j in range(drawn_count):
        c = contexts[drawn[j]]
        for i in range(0, near_count, 4):
            x, e = vectors[near[i]], errors[i, j]
            x_1, e_1 = vectors[near[min(i + 1, last)]], errors[i + 1, j]
            x_2, e_2 = vectors[near[min(i + 2, last)]], errors[i + 2, j]
            x_3, e_3 = vectors[near[min(i + 3, last)]], errors[i + 3, j]
            for d in range(len(c)):
                c[d] += e * x[d] + e_1 * x_1[d] + e_2 * x_2[d] + e_3 * x_3[d]
    for i in range(near_count):
        x, move = vectors[near[i]], moves[i]
        for d in range(len(x)):
            x[d] += move[d]


@compiled
def update_cbow(vectors, contexts, near, near_count, drawn, drawn_count, rate, table, errors, moves):
    """The mean of the near words predicts the word between them; each of them gets its share of the gradient.

    Four near words, and two context vectors, are taken at a time, as above.
    """
    mean, move = moves[0], moves[1]
    mean[:] = ZERO
    move[:] = ZERO
    share, last, end = np.float32(1) / np.float32(near_count), near_count - 1, drawn_count - 1
    for i in range(0, near_count, 4):
        x = vectors[near[i]]
        x_1, s_1 = vectors[near[min(i + 1, last)]], share if i + 1 <= last else ZERO
        x_2, s_2 = vectors[near[min(i + 2, last)]], share if i + 2 <= last else ZERO
        x_3, s_3 = vectors[near[min(i + 3, last)]], share if i + 3 <= last else ZERO
        for d in range(len(mean)):
            mean[d] += share * x[d] + s_1 * x_1[d] + s_2 * x_2[d] + s_3 * x_3[d]
    for j in range(0, drawn_count, 2):
        c, c_k = contexts[drawn[j]], contexts[drawn[min(j + 1, end)]]
        score = score_k = ZERO
        for d in range(len(mean)):
            score += mean[d] * c[d]
            score_k += mean[d] * c_k[d]
        errors[0, j] = rate * (np.float32(j == 0) - logistic(score, table))
        errors[0, j + 1] = rate * (ZERO - logistic(score_k, table)) if j < end else ZERO
    for j in range(0, drawn_count, 2):
        c, c_k = contexts[drawn[j]], contexts[drawn[min(j + 1, end)]]
        error, error_k = share * errors[0, j], share * errors[0, j + 1]
        for d in range(len(move)):
            move[d] += error * c[d] + error_k * c_k[d]
    for j in range(drawn_count):
        c, error = contexts[drawn[j]], errors[0, j]
        for d in range(len(c)):
            c[d] += error * mean[d]
    for i in range(near_count):
        x = vectors[near[i]]
        for d in range(len(x)):
            x[d] += move[d]
