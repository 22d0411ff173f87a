"""Every computed number in the list of worked examples, to the digits printed there, and by a second computation."""

import math

import numpy as np
import pytest

from regard.lens.blame import finite_differences, roles
from regard.lessons import (
    apple,
    cabinet,
    cat,
    four_heads,
    fox,
    gauge,
    heads,
    it,
    matrix,
    pronoun,
    rule,
    three_words,
    two_heads,
)


def by_definition(scores):
    """Softmax, one number at a time."""
    total = sum(math.exp(s) for s in scores)
    return [math.exp(s) / total for s in scores]


def digits(array, count):
    return [round(float(v), count) for v in np.ravel(array)]


# 001: the cat


def test_cat():
    trace = cat.make()
    assert trace.array("scores").ravel().tolist() == [2, 4, 6]
    assert trace.array("scaled").ravel().tolist() == [1, 2, 3]
    assert cat.HEAD_WIDTH == 4
    assert digits(trace.array("weights"), 6) == [0.090031, 0.244728, 0.665241] == digits(by_definition([1, 2, 3]), 6)
    assert digits(cat.unscaled(trace), 4) == [0.0159, 0.1173, 0.8668] == digits(by_definition([2, 4, 6]), 4)


def test_the_printed_weights_of_the_cat_are_impossible():
    weights = cat.make().array("weights").ravel()
    ratios, printed = cat.ratios(weights), cat.ratios(cat.WEIGHTS)
    assert ratios[0] == pytest.approx(ratios[1], abs=1e-12) and printed[0] != pytest.approx(printed[1], abs=0.9)
    assert weights.sum() == pytest.approx(1) and cat.WEIGHTS.sum() == pytest.approx(1)
    needed = cat.scores_for(cat.WEIGHTS)
    assert digits(needed, 4) == [0, 1.0986, 1.7918]
    assert by_definition(needed) == pytest.approx([0.1, 0.3, 0.6])
    # no temperature: equal gaps stay equal when all are divided by one number
    for temperature in (0.5, 1, 2, 10):
        first, second, third = by_definition([s / temperature for s in (2, 4, 6)])
        assert second / first == pytest.approx(third / second)


# 002: the matrix, the heads


def test_matrix():
    trace = matrix.make()
    assert trace.array("weights").shape == (1, 4, 10) and trace.array("v").shape == (1, 10, 64)
    assert np.abs(np.array(matrix.sums(trace)) - 1).max() <= 2.3e-16
    assert {w: round(m, 12) for w, m in matrix.later(trace).items()} == {"The": 0.6, "cat": 0.35, "sat": 0.1, "mat": 0}
    row = [0.05, 0.60, 0.02, 0.03, 0.05, 0.10, 0.05, 0.02, 0.02, 0.06]
    by_hand = [sum(w * v[d] for w, v in zip(row, trace.array("v")[0])) for d in range(64)]
    assert trace.array("context")[0, 2] == pytest.approx(by_hand, abs=1e-14)
    assert matrix.shapes(trace) == [10, 10, 10, 64, 10, 64]
    assert matrix.whole(trace)[[0, 1, 6, 9]] == pytest.approx(trace.array("weights")[0])


def test_heads():
    trace = heads.make()
    assert trace.array("context").shape == (8, 4, 64) and heads.beside(trace).shape == (4, 512)
    assert trace.array("by_head").shape == (8, 4, 512) and trace.array("attended").shape == (4, 512)
    assert heads.identity_error(trace) < 1e-13
    assert heads.largest_cosine(heads.slices(trace)) == 0
    assert heads.largest_cosine(heads.contributions(trace)) > 0.01
    assert heads.distributions(trace) == 8
    assert (heads.reached(trace, heads.beside), heads.reached(trace, heads.attended)) == (64, 512)
    assert (heads.movers(trace, heads.added), heads.movers(trace, heads.beside)) == (8, 1)


def test_heads_are_a_real_run():
    """The trace of the lesson against attention by definition, one head and one word at a time."""
    trace = heads.make()
    for head in (0, 7):
        q, k, v = (trace.array(n)[head] for n in "qkv")
        for i in range(4):
            weights = by_definition([q[i] @ k[j] / 8 for j in range(i + 1)])
            assert trace.array("weights")[head, i, : i + 1] == pytest.approx(weights)
            assert trace.array("weights")[head, i, i + 1 :].tolist() == [0] * (3 - i)
            assert trace.array("context")[head, i] == pytest.approx(sum(w * v[j] for j, w in enumerate(weights)))
    concat = np.concatenate([trace.array("context")[h] for h in range(8)], axis=1)
    assert trace.array("attended") == pytest.approx(concat @ trace.array("W_O").reshape(512, 512), abs=1e-13)


def test_two_heads():
    trace = two_heads.make()
    s, t = 3 / math.sqrt(2), 2.6 / math.sqrt(2)
    assert trace.array("weights")[0, 5] == pytest.approx(by_definition([0, 0.1 * s, 0, 0.1 * s, s, 0]))
    assert trace.array("weights")[1, 5] == pytest.approx(by_definition([0.1 * t, 0, t, 0, 0, 0]))
    assert (two_heads.most_read(trace, 0), two_heads.most_read(trace, 1)) == ("cat", "mat")
    assert two_heads.level(trace, 1) == ["purring", "fishing"] and two_heads.level(trace, 0) == ["purring", "snoring"]
    assert trace.array("by_head").sum(axis=0) == pytest.approx(trace.array("attended"))
    assert trace.array("weights").sum(axis=-1) == pytest.approx(np.ones((2, 6)))


def test_four_heads():
    """Every number of sat's row a second time: from the words' vectors and the matrices, one head after the other."""
    trace = four_heads.make()
    x, strip = trace.array("x"), []
    for head, (printed, words) in enumerate((([0.60], [1]), ([0.55], [9]), ([0.45], [5]), ([0.30, 0.25], [6, 7]))):
        W_Q, W_K, W_V = (trace.array(name)[head] for name in ("W_Q", "W_K", "W_V"))
        weights = by_definition([(x[6] @ W_Q) @ (word @ W_K) / math.sqrt(2) for word in x])
        assert trace.array("weights")[head, 6] == pytest.approx(weights)
        assert [weights[word] for word in words] == pytest.approx(printed)
        strip += [sum(w * (word @ W_V)[d] for w, word in zip(weights, x)) for d in range(2)]
    assert trace.array("concat")[6] == pytest.approx(strip)
    assert digits(strip, 2) == [0.60, 0.09, 0.55, 0.05, 0.45, 0.12, 0.30, 0.25]
    assert trace.array("attended")[6] == pytest.approx(np.array(strip) @ trace.array("W_O").reshape(8, 8))
    assert four_heads.together(trace) == pytest.approx(0.60 + 0.55 + 0.45)
    assert list(four_heads.writers(trace, "concat").values()) == [[0], [0], [1], [1], [2], [2], [3], [3]]
    assert four_heads.writers(trace, "attended") == {
        "subject": [0], "place": [1], "time": [2], "verb": [2], "posture": [3], "link": [1, 3], "pointing": [0],
    }  # fmt: skip
    assert [four_heads.alone(trace, head) for head in range(3)] == ["hunting", "lying", "waiting"]


@pytest.mark.parametrize("step, value, lines", [
    ("weights", lambda old: np.full_like(old, 0.1), {116, 117, 118, 125, 129, 132, 133, 134, 135}),
    ("W_K", lambda old: old[[0, 0, 0, 0]], {115, 116, 117, 118, 129, 133, 134, 135, 138}),
    ("W_O", lambda old: np.eye(8).reshape(4, 2, 8), {115, 163}),
    ("W_O", lambda old: np.ones_like(old), {115, 171}),
])  # fmt: skip
def test_claims_about_four_heads_fail_in_another_run(step, value, lines):
    trace = four_heads.make()
    other = trace.pin(step, value(trace.array(step)))
    assert {claim.line for claim in four_heads.lesson().check(other) if claim.is_failure} == lines


def test_cabinet():
    trace = cabinet.make()
    scores = [[sum(a * b for a, b in zip(q, k)) / 2 for k in cabinet.LABELS] for q in cabinet.ASKED]
    assert trace.array("weights")[0] == pytest.approx(np.array([by_definition(row) for row in scores]))
    assert [int(row.argmax()) for row in trace.array("weights")[0]] == list(cabinet.WANTED)
    assert cabinet.error(trace) < 0.02
    compromise = cabinet.compromises(trace)
    assert min(compromise.values()) > 10 * cabinet.error(trace)
    assert 0 < min(compromise, key=compromise.__getitem__) < 1, "the best mixture is neither label nor contents"
    labels = cabinet.tied(trace, 0.0)
    assert labels.array("weights") == pytest.approx(trace.array("weights")), "labels as contents still find the folder"
    assert cabinet.retrieved(labels)[1] == pytest.approx(cabinet.LABELS[3], abs=0.02), "and give back the label"


def test_rule():
    trace = rule.make()
    assert trace.array("W_Q").shape == (1, 512, 64) and trace.array("x").shape == (1, 512)
    embedding = trace.array("x")[0]
    right = rule.moved(trace, "W_Q[42,0]")
    assert right[0] == pytest.approx(embedding[42]) and np.count_nonzero(right) == 1
    written = rule.moved(trace, "W_Q[0,42]")
    assert written[0] == 0 and written[42] == pytest.approx(embedding[0]) and np.count_nonzero(written) == 1
    assert trace["q[0]"] == pytest.approx(sum(embedding[i] * trace.array("W_Q")[0, i, 0] for i in range(512)))


# 003: the apple


def test_apple():
    trace = apple.make()
    assert trace.array("scores")[0, 0].tolist() == [1.5, 12.0, 0.0, 0.3]
    assert digits(100 * apple.row(trace), 4)[1] == 99.9958
    assert apple.row(trace) == pytest.approx(by_definition([1.5, 12.0, 0.0, 0.3]))
    assert round(apple.temperature_for(trace, 0.98), 3) == 2.265
    assert round(apple.temperature_for(trace, 0.98) ** 2) == 5
    shares = [round(100 * apple.share_at(trace, math.sqrt(d)), 2) for d in (5, 4, 64)]
    assert shares[:2] == [98.12, 98.95] and round(shares[2], 1) == 58.0
    assert apple.among_zeros(trace) == 0.25
    assert not apple.sees_orange()
    assert apple.added(trace) == pytest.approx([0, 0, 0, 0, *(apple.row(trace) @ [[0.5, 0.5], [1, 0], [0, 1], [0, 0]])])


def test_both_sentences_move_apple_in_the_toys_that_ship():
    """Gravity a second time: the words of the plane, one after the other, by the definition of attention."""
    for text, word, by in (apple.FRUIT, apple.COMPANY):
        assert apple.reads_and_says(text, word, by) == (by, {"orange": "pie", "phone": "store"}[by])
        words = {"apple": [0.5, 0.5], "Apple": [0.5, 0.5], "orange": [1.0, 0.05], "phone": [0.05, 1.0],
                 "new": [0.05, 0.2], "bought": [0.15, 0.1], "unveiled": [0.0, 0.3], "and": [0.02, 0.02],
                 "I": [0.05, 0.05], "a": [0.02, 0.01], "an": [0.02, 0.01]}  # fmt: skip
        x = np.array([words[each] for each in text.split()])
        own = np.array(words[word])
        weights = by_definition([2.4 * 2.4 * (own @ each) / math.sqrt(2) for each in x])
        after = own + np.array(weights) @ x
        cosines = [v @ words[by] / np.linalg.norm(v) / np.linalg.norm(words[by]) for v in (own, after)]
        assert apple.moved(text, word, by) == pytest.approx(cosines) and cosines[1] > cosines[0] + 0.1
    assert digits(apple.moved(*apple.FRUIT), 3) == [0.742, 0.862]


def test_matching_and_content_are_two_spaces():
    assert [apple.nearest("orange", name) for name in ("W_K", "W_V")] == ["apple", "ate"]
    assert [apple.nearest("phone", name) for name in ("W_K", "W_V")] == ["apple", "unveiled"]
    assert (apple.asks("apple"), apple.asks("Apple")) == ("orange", "phone")
    assert apple.label("apple").tolist() == apple.label("Apple").tolist() == [0.5, 0.5, 0, 0, 0]


@pytest.mark.parametrize("line, name, other", [
    (20, "FRUIT", apple.COMPANY),
    (21, "COMPANY", apple.FRUIT),
    (28, "PLANE", "apple"),  # there the category of a word stays
    (58, "TOY", "fruit-or-company"),  # there apple and Apple ask for the same
    (82, "TOY", "fruit-or-company"),  # there both spaces are one
])  # fmt: skip
def test_claims_about_apple_fail_with_another_sentence_or_toy(line, name, other, monkeypatch):
    claim, trace = next(claim for claim in apple.claims() if claim.line == line), apple.make()
    assert claim.holds(trace)
    monkeypatch.setattr(apple, name, other)
    apple._toy.cache_clear()
    try:
        assert not claim.holds(trace)
    finally:
        apple._toy.cache_clear()


# 000: the gauge


def test_gauge():
    trace = gauge.make()
    assert gauge.score_change(trace) < 1e-13
    assert np.abs(gauge.turned(trace).array("q") - trace.array("q")).max() > 1
    assert gauge.cosines(trace).max() < 0.9
    assert np.abs(gauge.turned(trace).array("probabilities") - trace.array("probabilities")).max() < 1e-13
    assert gauge.leak(trace)["jumps"] > 0.1 and gauge.leak(trace)["fox"] == 0
    q, k = trace.array("q")[0], trace.array("k")[0]
    assert gauge.by_hand(trace) == pytest.approx([sum(q[4] * k[j]) for j in range(4)])
    assert gauge.convention_error(trace) < 1e-15


# 004: the fox and the three words


def test_three_words():
    trace = three_words.make()
    assert digits(trace.array("W_Q"), 4) == [3.1546, 1.7572, 3.5910, 3.9287]
    assert trace.array("weights")[0, 2] == pytest.approx([0.2, 0.3, 0.5])
    assert trace.array("context")[0, 2] == pytest.approx([0.29, 0.32])
    assert trace.array("logits") == pytest.approx([0.209, 0.221, 0.331, 0.346])
    assert digits(trace.array("probabilities"), 6) == [0.233173, 0.235988, 0.263429, 0.267410]
    assert trace.array("probabilities") == pytest.approx(by_definition([0.209, 0.221, 0.331, 0.346]))
    assert (trace.predicted, trace.info["next"]) == ("pizza", "fox")
    assert round(float(trace.array("loss")), 6) == 1.333973


def test_three_words_learn_fox():
    trace = three_words.make()
    assert three_words.updates_until(trace, "fox") == 1
    assert trace.update(0.1).predicted == "fox"
    assert three_words.updates_until(trace, "pizza") == 0
    with pytest.raises(ValueError, match=r"after 3 updates at 0\.1 the model still says 'fox', not 'apple'"):
        three_words.updates_until(trace, "apple", most=3)


def test_fox():
    trace = fox.make()
    assert trace.array("context")[0, 3] == pytest.approx([0.66, 0.525])
    assert trace.array("logits") == pytest.approx([0.435, 0.381, 0.672, 0.6045])
    assert digits(trace.array("probabilities"), 6) == [0.227294, 0.215346, 0.288082, 0.269278]
    assert round(float(trace.array("loss")), 6) == 1.312010 and round(math.log(4), 6) == 1.386294
    assert digits(trace.array("scores")[0, 3], 4) == [0.20, 0.38, 0.54, 1.00]
    assert digits(trace.array("scaled")[0, 3], 4) == [0.1414, 0.2687, 0.3818, 0.7071]
    assert digits(trace.array("biased")[0, 3], 4) == [-1.3078, -2.0009, -1.3078, 0.7071]
    assert digits(trace.array("position")[0], 4) == [0, -1.6896, -2.2696, -1.4492, 0]


def test_fox_blame():
    trace = fox.make()
    assert digits(trace.array("logits.grad"), 5) == [0.22729, 0.21535, 0.28808, -0.73072]
    assert digits(trace.array("context.grad")[0, 3], 5) == [0.19069, -0.36775]
    assert digits(trace.array("weights.grad")[0, 3], 5) == [-0.05448, 0.03950, -0.12667, -0.06809]
    assert digits(trace.array("biased.grad")[0, 3], 6) == [0.001273, 0.005336, -0.005946, -0.000663]
    sizes = {role: round(size.value, 4) for role, size in roles(trace).items()}
    assert sizes == {"W_out": 0.7131, "W_V": 0.3494, "E": 0.3186, "position": 0.0081, "W_Q": 0.0018, "W_K": 0.0018}
    assert [round(roles(trace)[r].value, 5) for r in ("W_Q", "W_K")] == [0.00183, 0.00183]
    assert round(roles(trace)["W_V"].value / roles(trace)["W_Q"].value) == 191
    assert finite_differences(trace).error < 1e-9


def test_fox_learns():
    trace = fox.make()
    after = [trace]
    for _ in range(50):
        after.append(after[-1].update(0.1))
    losses = [round(float(after[n].array("loss")), 4) for n in (1, 10, 50)]
    assert losses == [1.2391, 0.4036, 0.0086]
    assert digits(after[1].array("probabilities"), 3) == [0.219, 0.214, 0.278, 0.290]
    assert [round(after[n]["probabilities[jumps]"], 3) for n in (10, 50)] == [0.668, 0.991]
    assert [round(after[n]["weights[fox,fox]"], 4) for n in (1, 10, 50)] == [0.7508, 0.8395, 0.9562]


@pytest.mark.parametrize("learns, rate, updates", [("W_out", 0.1, 1), ("W_V", 0.1, 4), ("E", 0.1, 5), (None, 0.01, 7)])
def test_fox_updates_until_the_prediction_flips(learns, rate, updates):
    trace = fox.make()
    for done in range(updates):
        assert trace.predicted == "fox", f"already after {done}"
        trace = trace.update(rate, learns)
    assert trace.predicted == "jumps"


@pytest.mark.parametrize(
    "learns, updates, weights",
    [
        (("position",), 1473, [0.079, 0.028, 0.448, 0.445]),
        (("W_Q", "W_K"), 10_750, None),
        (("W_Q", "W_K", "position"), 1403, None),
    ],
)
def test_fox_flips_late_when_only_attention_learns(learns, updates, weights):
    """By hand, since ten thousand traces take long: the last word's row is all that the loss sees."""
    trace = fox.make()
    X, W_out = trace.array("x"), trace.array("W_out")
    W_Q, W_K, bias = trace.array("W_Q")[0].copy(), trace.array("W_K")[0].copy(), trace.array("bias")[0, 3].copy()
    for done in range(updates + 1):
        q, k = X[3] @ W_Q, X @ W_K
        alpha = np.exp(k @ q / math.sqrt(2) + bias)
        alpha /= alpha.sum()
        probabilities = np.exp(W_out @ (alpha @ X))
        probabilities /= probabilities.sum()
        if done < updates:
            assert probabilities.argmax() == 2, f"already after {done}"
        d_context = W_out.T @ (probabilities - [0, 0, 0, 1])
        d_alpha = X @ d_context
        d_biased = alpha * (d_alpha - alpha @ d_alpha)
        d_scores = d_biased / math.sqrt(2)
        if done == 0:
            assert d_biased == pytest.approx(trace.array("biased.grad")[0, 3])
            assert np.outer(X[3], d_scores @ k) == pytest.approx(trace.array("W_Q.grad")[0])
            assert X.T @ np.outer(d_scores, q) == pytest.approx(trace.array("W_K.grad")[0])
        if "W_Q" in learns:
            W_Q, W_K = W_Q - 0.1 * np.outer(X[3], d_scores @ k), W_K - 0.1 * X.T @ np.outer(d_scores, q)
        if "position" in learns:
            bias = bias - 0.1 * d_biased
    assert probabilities.argmax() == 3
    assert weights is None or digits(alpha, 3) == weights


def test_fox_edits_and_contributions():
    trace = fox.make()
    edited = trace.edit("weights[fox,fox]", 0.2)
    assert digits(edited.array("logits")[2:], 4) == [0.2320, 0.2195] and edited.predicted == "fox"
    assert edited.array("weights")[0, 3].sum() == pytest.approx(0.45)
    assert trace.edit("weights[fox,fox]", 0.05).predicted == "jumps"
    moved = trace.move("weights[fox,fox]", 0.2)
    assert digits(moved.array("logits")[2:], 4) == [0.3904, 0.3944] and moved.predicted == "jumps"
    direction = trace.array("W_out")[3] - trace.array("W_out")[2]
    parts = trace.array("weights")[0, 3] * (trace.array("v")[0] @ direction)
    assert digits(parts, 4) == [0.0050, -0.0075, 0.0100, -0.0750]
    assert round(trace["margin"], 4) == -0.0675
    assert trace.hide("fox").predicted == "jumps"


# 002: it and animal


def it_reads(model, text, layer, head):
    """What "it" gives each word in one head: softmax by definition, of the scores that its query and the keys give."""
    run = pronoun.run_of(model, text)
    q, k = (step.value[head] for step in run.step(f"layer{layer}.scores").inputs)
    words, query = run.labels.words["K"], run.labels.words["Q"].index("it")
    seen = len(words) if model == "masked" else query + 1
    scores = [sum(a * b for a, b in zip(q[query], k[j])) / math.sqrt(len(q[query])) for j in range(seen)]
    return dict(zip(words, by_definition(scores)))


def test_it_reads_animal_in_one_head():
    trace = it.make()
    best = it.ranked("english").heads[0]
    row = it.run_of("english", it.SENTENCE).array(f"layer{best.layer}.weights")[best.head, 8, :9]
    np.testing.assert_allclose(trace.array("weights")[0, 0], row, rtol=1e-12)
    assert trace["weights[it,animal]"] == pytest.approx(0.581, abs=5e-4)
    assert trace["weights[it,animal]"] == pytest.approx(it_reads("english", it.SENTENCE, 2, 2)["animal"])


def test_a_model_that_looks_back_cannot_tell_tired_from_wide():
    assert it.largest_change("english") == 0.0, "bit for bit"
    at = it.telling("english")
    assert (at.layer, at.head) == (2, 2), "none differs: the head that reads animal most"
    assert it.change("english", at, "animal") == it.change("english", at, "street") == 0.0


def test_a_model_that_looks_both_ways_can_in_the_head_where_the_weight_of_animal_differs_most():
    """Not where any weight differs most: that is what "it" gives a word which says nothing about what it means."""
    at = it.telling("masked")
    assert (at.layer, at.head) == (4, 3)
    tired, wide = (it_reads("masked", text, at.layer, at.head) for text in (it.TIRED, it.WIDE))
    read = [it.weight("masked", text, at, word) for word in ("animal", "street") for text in (it.TIRED, it.WIDE)]
    assert read == pytest.approx([tired["animal"], wide["animal"], tired["street"], wide["street"]])
    assert digits(read, 3) == [0.230, 0.085, 0.093, 0.076]
    changes = {}
    for layer, head in np.ndindex(6, 4):
        tired, wide = (it_reads("masked", text, layer, head) for text in (it.TIRED, it.WIDE))
        changes[layer, head] = [abs(tired[word] - wide[word]) for word in ("animal", "street")]
    assert max(changes, key=lambda at: changes[at][0]) == (4, 3)
    assert max(street for _, street in changes.values()) == pytest.approx(0.025, abs=5e-4)
    assert it.largest_change("masked") > 0.18 > changes[4, 3][0]


def test_the_head_of_one_model_finds_the_noun_that_it_means_and_that_of_the_other_the_first_noun():
    found = {}
    for model, layer, head in (("english", 2, 2), ("masked", 4, 2)):
        rows = [(it_reads(model, text, layer, head), one, other) for text, one, other in pronoun.NOUNS]
        found[model] = sum(row[one] > row[other] for row, one, other in rows)
    assert found == {"english": 7, "masked": 4} == {model: pronoun.meant(model) for model in found}
    assert pronoun.first("masked") == len(pronoun.NOUNS) == 8
    assert [text.index(one) < text.index(other) for text, one, other in pronoun.NOUNS] == [True] * 4 + [False] * 4


def test_what_it_retrieves_is_most_like_the_value_of_animal_because_of_its_query():
    trace = it.make()
    assert it.most_like(trace)[0] == "animal" and it.most_like(trace)[1] > 0.9
    other = trace.pin("q", -trace.array("q"))
    assert [claim.check(other)[0].is_failure for claim in it.claims() if claim.line == 34] == [True]
