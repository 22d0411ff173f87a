"""The logit lens against its definition: the stream after each layer, read by the model's own end."""

import numpy as np
import pytest

import regard
from regard.lens.logit_lens import every_position, logit_lens
from regard.lens.streams import streams
from regard.models.catalogue import find_model

TEXT = "The quick brown fox sat on the mat"


def by_definition(trace, stream_TC: np.ndarray) -> np.ndarray:
    """Norm and vocabulary of the untrained toy, one number at a time."""
    gain, bias, words = trace.array("norm.gain"), trace.array("norm.bias"), trace.array("W_out")
    rows = []
    for x in stream_TC:
        mean = sum(x) / len(x)
        deviation = np.sqrt(sum((n - mean) ** 2 for n in x) / len(x) + 1e-5)
        normed = [(n - mean) / deviation * g + b for n, g, b in zip(x, gain, bias)]
        logits = [sum(n * w for n, w in zip(normed, row)) for row in words]
        exps = [np.exp(z) for z in logits]
        rows.append([e / sum(exps) for e in exps])
    return np.array(rows)


def test_candidates_after_each_layer_are_those_of_the_definition():
    trace = regard.explain(TEXT, next="dog", model="untrained")
    found = logit_lens(trace, top=7)
    assert [layer.name for layer in found] == ["embedding", "layer0", "layer1"]
    words = trace.labels.words["V"]
    for layer, (_, step) in zip(found, streams(trace)):
        shares = by_definition(trace, step.value)[-1]
        order = sorted(range(len(words)), key=lambda i: -shares[i])
        assert [c.word for c in layer.candidates] == [words[i] for i in order[:7]]
        assert np.allclose([c.probability for c in layer.candidates], shares[order[:7]], atol=1e-12)
        assert [c.rank for c in layer.candidates] == [1, 2, 3, 4, 5, 6, 7]
        assert layer.target is not None
        assert (layer.target.word, layer.target.rank) == ("dog", 1 + order.index(words.index("dog")))
        assert layer.predicted.word == trace.predicted


def test_every_position_is_that_of_the_definition():
    trace = regard.explain(TEXT, model="untrained")
    grid = every_position(trace)
    words = trace.labels.words["V"]
    final = by_definition(trace, streams(trace)[-1][1].value).argmax(axis=1)
    for (name, places), (expected_name, step) in zip(grid, streams(trace)):
        shares = by_definition(trace, step.value)
        assert name == expected_name and len(places) == 8
        for position, place in enumerate(places):
            row = shares[position]
            assert place.word == words[int(row.argmax())]
            assert abs(place.probability - row.max()) < 1e-12
            assert place.rank == 1 + sum(p > row[final[position]] for p in row)


@pytest.mark.parametrize("model", ["fox", "three-words", "two-heads", "untrained", "english", "masked"])
def test_the_last_layer_is_the_prediction_itself(model):
    found = find_model(model)
    trace = found.run(found.sentence, found.next)
    changed = trace.edit(f"{streams(trace)[-1][1].name}[0,0]", 3.0)
    for each in (trace, changed):
        last = logit_lens(each, top=1)[-1]
        assert last.candidates[0].word == each.predicted
        assert last.candidates[0].probability == each.array("probabilities").max()
        query = int(each.array("query"))
        assert every_position(each)[-1][1][query].word == each.predicted


def test_replaced_logits_have_no_positions():
    trace = regard.explain(TEXT, model="untrained")
    pinned = trace.pin("logits", np.zeros(len(trace.labels.words["V"])))
    with pytest.raises(ValueError, match="undo"):
        every_position(pinned)
