"""One update: the compiled one against the definition, written one number at a time."""

import numpy as np
import pytest

from regard.training.vectors import tables
from regard.training.vectors.glove import update_glove
from regard.training.vectors.update import LOGISTIC, logistic, room, update_cbow, update_skipgram

WORDS, WIDTH, RATE = 13, 7, 0.3
DRAWN = np.array([4, 9, 2, 11], np.int32)  # the word between, and three negatives


def logistic_of(score):
    return 1 / (1 + np.exp(-score))


@pytest.fixture
def two():
    random = np.random.default_rng(5)
    vectors, contexts = tables.zeros(WORDS, WIDTH), tables.zeros(WORDS, WIDTH)
    for table in (vectors, contexts):
        table[:, :WIDTH] = random.normal(size=(WORDS, WIDTH))
    return vectors, contexts


def loss(vectors, contexts, near, drawn):
    """What an update makes smaller: −ln of the chance that the word is told from the negatives."""
    return sum(
        -np.log(logistic_of((1 if j == 0 else -1) * sum(vectors[i, d] * contexts[k, d] for d in range(WIDTH))))
        for i in near
        for j, k in enumerate(drawn)
    )


def by_definition(measure, table, rate):
    """Every number moved against its gradient, by finite differences."""
    moved = table.astype(np.float64)
    for place in np.ndindex(WORDS, WIDTH):
        step = np.zeros_like(moved)
        step[place] = 1e-5
        moved[place] -= rate * (measure(table + step) - measure(table - step)) / 2e-5
    return moved


def test_the_logistic_function_of_the_table():
    scores = np.linspace(-12, 12, 4001, dtype=np.float32)
    found = np.array([logistic(score, LOGISTIC) for score in scores])
    assert np.abs(found - logistic_of(scores.astype(np.float64))).max() < 5e-5
    inside = np.abs(scores) < 10
    assert np.abs(found - logistic_of(scores.astype(np.float64)))[inside].max() < 1e-6


@pytest.mark.parametrize("near", [[1], [1, 3], [5, 0, 12, 7, 1], [3, 6, 3, 8, 10, 1, 0]])
@pytest.mark.parametrize("drawn_count", [1, 2, 3, 4])
def test_an_update_of_skipgram_is_a_step_against_the_gradient(two, near, drawn_count):
    vectors, contexts = two
    drawn = DRAWN[:drawn_count]
    before = [table.astype(np.float64)[:, :WIDTH] for table in two]
    expected = (
        by_definition(lambda v: loss(v, before[1], near, drawn), before[0], RATE),
        by_definition(lambda c: loss(before[0], c, near, drawn), before[1], RATE),
    )
    places = np.zeros(8, np.int32)
    places[: len(near)] = near
    scratch = room(4, 3, vectors.shape[1])
    for table in scratch:
        table[:] = 1e6  # what an earlier window left must not be seen
    update_skipgram(vectors, contexts, places, len(near), DRAWN, drawn_count, np.float32(RATE), LOGISTIC, *scratch)
    for table, wanted in zip(two, expected):
        assert np.abs(table[:, :WIDTH] - wanted).max() < 1e-5
        assert not table[:, WIDTH:].any()


def test_an_update_of_cbow_is_a_step_against_the_gradient(two):
    vectors, contexts = two
    near = np.array([5, 0, 12, 7, 5, 1], np.int32)
    before = [table.astype(np.float64)[:, :WIDTH] for table in two]

    def measured(v, c):
        mean = np.zeros((WORDS, WIDTH))
        mean[0] = sum(v[i] for i in near) / len(near)
        return loss(mean, c, [0], DRAWN)

    expected = (
        by_definition(lambda v: measured(v, before[1]), before[0], RATE),
        by_definition(lambda c: measured(before[0], c), before[1], RATE),
    )
    scratch = room(5, 3, vectors.shape[1])
    update_cbow(vectors, contexts, near, len(near), DRAWN, len(DRAWN), np.float32(RATE), LOGISTIC, *scratch)
    for table, wanted in zip(two, expected):
        assert np.abs(table[:, :WIDTH] - wanted).max() < 1e-5


def test_an_update_of_glove_is_a_step_of_adagrad(two):
    """The gradient by finite differences, divided by the root of the squares before it."""
    vectors, contexts = two
    width, word, context, count, rate = WIDTH - 1, 3, 8, 17.0, 0.05  # the last number is the bias
    squares = [np.ones_like(table) * (1 + k) for k, table in enumerate(two)]
    before = [table.astype(np.float64)[:, :WIDTH] for table in two]

    def measured(v, c):
        error = v[word, :width] @ c[context, :width] + v[word, width] + c[context, width] - np.log(count)
        return (count / 100) ** 0.75 * error**2 / 2

    expected = (
        by_definition(lambda v: measured(v, before[1]), before[0], rate / np.sqrt(1)),
        by_definition(lambda c: measured(before[0], c), before[1], rate / np.sqrt(2)),
    )
    weight, log = np.array([(count / 100) ** 0.75], np.float32), np.array([np.log(count)], np.float32)
    places = np.array([word], np.int32), np.array([context], np.int32)
    update_glove(*places, weight, log, vectors, contexts, *squares, width, rate)
    for k, (table, wanted) in enumerate(zip(two, expected)):
        assert np.abs(table[:, :WIDTH] - wanted).max() < 1e-5
        gradient = (before[k] - wanted) * np.sqrt(1 + k) / rate
        assert np.abs(squares[k][:, :WIDTH] - (1 + k + gradient**2)).max() < 1e-3
