"""A walk over a block of text: frequent words skipped, a window around each word, negatives drawn, an update made."""

import numpy as np

from regard.training.vectors.compiling import compiled
from regard.training.vectors.sampling import below, happens, next_random
from regard.training.vectors.update import update_cbow, update_skipgram

END = -1  # between two lines
LONGEST = 10_000  # words of a line that are looked at together


@compiled
def read_line(words, here, kept, line, state):
    """The next line without the words that are skipped; where the one after it begins, and its length."""
    length = 0
    while here < len(words) and words[here] != END and length < LONGEST:
        if happens(next_random(state), kept[words[here]]):
            line[length] = words[here]
            length += 1
        here += 1
    if here < len(words) and words[here] == END:
        here += 1
    return here, length


@compiled
def window_around(line, length, center, window, near, state):
    """The words at most 1, 2, … or `window` places away, each as likely: nearer words count more."""
    reach = window - below(next_random(state), window)
    count = 0
    for place in range(max(0, center - reach), min(length, center + reach + 1)):
        if place != center:
            near[count] = line[place]
            count += 1
    return count


@compiled
def draw(word, negatives, chance, alias, drawn, state):
    """The word and its negatives; a negative that is the word itself is left out."""
    drawn[0], count = word, 1
    for _ in range(negatives):
        bits = next_random(state)
        place = below(bits, len(alias))
        other = place if happens(bits, chance[place]) else alias[place]
        if other != word:
            drawn[count] = other
            count += 1
    return count


@compiled
def walk(
    words, vectors, contexts, kept, chance, alias, window, negatives, by_mean, rate, rate_after, table, errors, moves,
    state,
):  # fmt: skip
    """Learn from every word of a block; the rate falls from `rate` to `rate_after`.

    Each word of a window predicts (skip-gram), or their mean does (CBOW). An update handed in as a function would be
    compiled anew in every process: what Numba keeps on disk knows a function only by its name.
    """
    line, near, drawn = np.empty(LONGEST, np.int32), np.empty(2 * window, np.int32), np.empty(1 + negatives, np.int32)
    here = 0
    while here < len(words):
        now = np.float32(rate + (rate_after - rate) * here / len(words))
        here, length = read_line(words, here, kept, line, state)
        for center in range(length):
            count = window_around(line, length, center, window, near, state)
            if not count:
                continue
            against = draw(line[center], negatives, chance, alias, drawn, state)
            if by_mean:
                update_cbow(vectors, contexts, near, count, drawn, against, now, table, errors, moves)
            else:
                update_skipgram(vectors, contexts, near, count, drawn, against, now, table, errors, moves)
