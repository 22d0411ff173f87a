"""One update in glass: its gradients by finite differences, and the very update that training makes."""

import numpy as np
import pytest

from regard.ops.formulas import formula
from regard.training.vectors import tables
from regard.training.vectors.glove import update_glove, weights_and_logs
from regard.training.vectors.update import LOGISTIC, room, update_skipgram
from regard.vectors.updates import adagrad, counts, glove_trace, skipgram_trace, windows

WORDS = tuple("abcdefghijk")
WIDTH, RATE = 5, 0.3
NEAR, WORD, NEGATIVES = ("c", "h", "c", "a"), "e", ("b", "k", "e")


def padded(table):
    full = tables.zeros(*table.shape)
    full[:, : table.shape[1]] = table
    return full


@pytest.fixture
def two():
    return np.random.default_rng(7).normal(size=(2, len(WORDS), WIDTH))


def by_differences(trace, name):
    found = np.zeros(trace.step(name).shape)
    for place in np.ndindex(found.shape):
        step = np.zeros_like(found)
        step[place] = 1e-5
        up, down = (float(trace.pin(name, trace.array(name) + s).array("loss")) for s in (step, -step))
        found[place] = (up - down) / 2e-5
    return found


def test_the_logistic_formula_and_its_gradient():
    scores = np.array([-2000.0, -30.0, -1.3, 0.0, 0.7, 30.0, 2000.0])
    chances = formula("logistic")(scores)
    assert np.allclose(chances, [0, np.exp(-30), 1 / (1 + np.exp(1.3)), 0.5, 1 / (1 + np.exp(-0.7)), 1, 1], atol=1e-12)
    slopes = (formula("logistic")(scores[1:6] + 1e-6) - formula("logistic")(scores[1:6] - 1e-6)) / 2e-6
    assert np.allclose(formula("logistic_blame")(2.0, chances[1:6]), 2 * slopes, atol=1e-8)


def test_skipgram_gradients_by_finite_differences(two):
    trace = skipgram_trace(WORDS, *two, NEAR, WORD, NEGATIVES).backward()
    for name in ("E", "U"):
        assert np.abs(trace.array(f"{name}.grad") - by_differences(trace, name)).max() < 1e-8


def test_the_update_in_glass_is_the_one_that_training_makes(two):
    after = skipgram_trace(WORDS, *two, NEAR, WORD, NEGATIVES).update(RATE)
    places = {w: i for i, w in enumerate(WORDS)}
    near = np.array([places[w] for w in NEAR], np.int32)
    drawn = np.array([places[w] for w in (WORD, *NEGATIVES)], np.int32)
    vectors, contexts = padded(two[0]), padded(two[1])
    scratch = room(2, 3, vectors.shape[1])
    update_skipgram(vectors, contexts, near, 4, drawn, 4, np.float32(RATE), LOGISTIC, *scratch)
    assert np.abs(vectors[:, :WIDTH] - after.array("E")).max() < 1e-5
    assert np.abs(contexts[:, :WIDTH] - after.array("U")).max() < 1e-5


def test_every_number_of_an_update_opens(two):
    after = skipgram_trace(WORDS, *two, NEAR, WORD, NEGATIVES).update(RATE)
    before = after.parent
    for step in before.steps.values():
        if step.stored.dtype.kind == "f":
            for place in np.ndindex(step.shape):
                address = f"{step.name}[{','.join(map(str, place))}]" if place else step.name
                why = before.why(address)
                assert why.value == pytest.approx(float(step.value[place]), abs=1e-12) and str(why)
    assert str(before.why("E.next[c,0]")) == "E.next[c,0] = 0.5096 = 0.4898 − 0.3·(-0.06591)"


@pytest.mark.parametrize("count", [0.5, 17.0, 250.0])
def test_glove_gradients_and_adagrad(two, count):
    random = np.random.default_rng(8)
    b, d = random.normal(size=(2, len(WORDS)))
    trace = glove_trace(WORDS, *two, b, d, "c", "h", count).backward()
    assert float(trace.array("weight")) == pytest.approx(min(1, (count / 100) ** 0.75))
    names = ("E", "U", "b", "d")
    for name in names:
        assert np.abs(trace.array(f"{name}.grad") - by_differences(trace, name)).max() < 1e-7
    squares = {name: 1 + random.random(trace.step(name).shape) for name in names}
    after = adagrad(trace, 0.05, squares)
    ours = [padded(np.c_[two[0], b]), padded(np.c_[two[1], d])]
    kept = [padded(np.c_[squares["E"], squares["b"]]), padded(np.c_[squares["U"], squares["d"]])]
    places = np.array([2], np.int32), np.array([7], np.int32)
    update_glove(*places, *weights_and_logs(np.array([count], np.float32)), *ours, *kept, WIDTH, 0.05)
    for (table, bias), numbers, sums in zip((("E", "b"), ("U", "d")), ours, kept):
        assert np.abs(numbers[:, :WIDTH] - after.array(f"{table}.next")).max() < 1e-5
        assert np.abs(numbers[:, WIDTH] - after.array(f"{bias}.next")).max() < 1e-5
        assert np.abs(sums[:, :WIDTH] - after.array(f"{table}.squares.next")).max() < 1e-3
        assert np.abs(sums[:, WIDTH] - after.array(f"{bias}.squares.next")).max() < 1e-3
    assert "√" in str(after.why("E.next[c,0]"))


def test_counts_are_both_ways():
    found = counts(["a b a"], 2)
    assert found == {("a", "b"): 2.0, ("b", "a"): 2.0, ("a", "a"): 1.0}


def test_what_the_lesson_has_learned_is_cells():
    from regard.lessons import lesson
    from regard.lessons import vectors as told

    words, E = told.WORDS, told.E
    vectors, contexts = E.copy(), told.U.copy()
    for _ in range(told.EPOCHS):  # one number at a time
        for word, near in windows(told.SENTENCES, told.WINDOW):
            x = [vectors[words.index(w)].copy() for w in near]
            before = contexts.copy()
            for i, w in enumerate(near):
                for j, other in enumerate(words):
                    error = float(other == word) - 1 / (1 + np.exp(-x[i] @ before[j]))
                    vectors[words.index(w)] += told.RATE * error * before[j]
                    contexts[j] += told.RATE * error * x[i]
    king, man, woman = (vectors[words.index(w)] for w in ("king", "man", "woman"))
    total = king / np.linalg.norm(king) - man / np.linalg.norm(man) + woman / np.linalg.norm(woman)
    trace = lesson("vectors").make()
    for name, table, direction in (("before", E, E[1]), ("trained", vectors, king), ("sum", vectors, total)):
        cosines = [row @ direction / np.linalg.norm(row) / np.linalg.norm(direction) for row in table]
        np.testing.assert_allclose(trace.array(f"{name}.cosine"), cosines, rtol=1e-9)
    assert trace.why("trained.cosine[queen]").symbols() == "trained.dot[queen] / trained.sizes[queen]"
