"""What the screen says is what the trace holds."""

import itertools
import json
from dataclasses import replace

import numpy as np
import pytest

import regard
from regard.lens.blame import finite_differences, roles
from regard.lens.explanation import explanation
from regard.models.catalogue import find_model
from regard.suggestions import NotFound
from regard.views.ink import Ink
from regard.views.learning import learn


@pytest.fixture
def fox():
    return regard.explain("The quick brown fox", next="jumps")


def test_readings_are_the_row_of_the_query(fox):
    e = explanation(fox)
    for name, column in (
        ("scores", "score"),
        ("scaled", "scaled"),
        ("biased", "biased"),
        ("exps", "exp"),
        ("weights", "weight"),
    ):
        assert [getattr(r, column).value for r in e.readings] == fox.array(name)[0, 3].tolist()
    assert e.total.value == fox.array("total")[0, 3]
    assert e.predicted == "fox" and e.target == "jumps"


def test_learning_is_one_update(fox):
    e = explanation(fox)
    after = fox.update(0.1)
    assert e.learning is not None
    assert e.learning.next_predicted == after.predicted == "jumps"
    assert e.learning.next_loss.value == float(after.array("loss"))
    assert [c.value for c in e.learning.score_blame] == fox.array("scores.grad")[0, 3].tolist()


def test_findings_of_the_fox(fox):
    assert tuple(map(str, explanation(fox).findings)) == (
        "the prediction flips after 1 update: fox → jumps",
        "W_Q, W_K got 191× less gradient than W_V",
        'without the word "fox" this model says "jumps"',
    )


def test_an_edited_row_is_said_not_to_sum_to_1(fox):
    e = explanation(fox.edit("weights[fox,fox]", 0.2))
    assert str(e.findings[0]) == "the edited row of layer0.weights sums to 0.45, not to 1"
    assert not any("sums to" in str(f) for f in explanation(fox.move("weights[fox,fox]", 0.2)).findings)


def test_without_a_next_word_there_is_no_learning():
    e = explanation(regard.explain("The quick brown fox", model="fox"))
    assert e.learning is None and e.target is None
    assert {e.contributions.first, e.contributions.second} == {"fox", "jumps"}


def test_the_finite_difference_check_can_fail(fox):
    """A gradient edited by hand is not what the loss does, and the check says so."""
    assert finite_differences(fox).error < 1e-8
    assert finite_differences(fox.edit("logits.grad[jumps]", 0.5)).error > 0.01
    assert finite_differences(fox.edit("logits.grad[jumps]", 0.5)).agree is False


def sure(model: str, loss: float):
    """A model that is sure of its answer: its logits are multiplied until about this loss is left of it."""
    own = find_model(model)
    answer = own.run(own.sentence).predicted
    gap = min(np.diff(np.sort(own.run(own.sentence).array("logits")))[-1:])
    larger = dict(own.parameters) | {"W_out": own.parameters["W_out"] * -np.log(loss) / gap}
    return replace(own, parameters=larger).run(own.sentence, answer)


@pytest.mark.parametrize("model", ["fox", "two-heads", "untrained"])
@pytest.mark.parametrize("loss", [0.1, 1e-4, 1e-7])
def test_a_model_that_has_learned_its_answer_has_right_gradients(model, loss):
    """What remains of the loss is known to its last digit only, and differences of it are judged by that."""
    trace = sure(model, loss)
    assert 0.3 * loss < trace.array("loss") < 3 * loss
    assert finite_differences(trace).agree
    name = f"logits.grad[{json.dumps(trace.predicted)}]"
    wrong = trace.backward().edit(name, 0.8 * trace.backward()[name])
    assert finite_differences(wrong).agree is False


@pytest.mark.parametrize("model", ["fox", "untrained"])
def test_where_rounding_hides_the_gradient_nothing_is_claimed(model):
    for loss in (1e-11, 1e-14, 1e-40):
        assert finite_differences(sure(model, loss)).agree is None


def test_the_screen_says_what_the_differences_show():
    def shown(trace):
        return " ".join(line.plain for line in learn(explanation(trace), Ink()))

    assert "✓" in shown(sure("fox", 1e-7)) and "✗" not in shown(sure("fox", 1e-7))
    assert "too small for finite differences" in shown(sure("fox", 1e-14))
    data = explanation(sure("fox", 1e-7)).data()["learning"]
    assert data["finite_difference_agrees"] is True
    assert data["finite_difference_error"] <= 1e-6 + data["finite_difference_rounding"]


def test_roles_are_the_sizes_of_the_gradients(fox):
    sizes = roles(fox)
    assert list(sizes)[:3] == ["W_out", "W_V", "E"]
    assert sizes["W_out"].value == pytest.approx(np.sqrt((fox.array("W_out.grad") ** 2).sum()))


@pytest.mark.parametrize("model", ["fox", "three-words", "two-heads", "untrained"])
def test_every_model_explains_its_own_and_other_sentences(model):
    own = find_model(model)
    for text, next in ((own.sentence, own.next), ("The dog sat on the mat", "today"), ("fox", None)):
        e = explanation(own.run(text, next))
        assert sum(r.weight.value for r in e.readings) == pytest.approx(1)
        pair = e.contributions
        assert sum(c.contribution for c in pair.components) + pair.rest == pytest.approx(pair.difference)
        if e.learning is not None:
            seen = e.learning.differences
            assert seen is not None and seen.error < 1e-6 and seen.agree


def test_a_chosen_head_is_the_one_that_is_measured():
    trace = regard.explain("The dog sat on the mat", next="it", model="untrained")
    for layer, head in itertools.product(range(2), range(2)):
        e = explanation(trace, check=False, layer=layer, head=head)
        assert (e.layer, e.component.head) == (f"layer{layer}", head)
        weights = trace.array(f"layer{layer}.weights")[head, e.query]
        assert [r.weight.value for r in e.readings] == weights.tolist()
        assert [c.value for c in e.context] == trace.array(f"layer{layer}.context")[head, e.query].tolist()
        assert e.learning is not None and e.learning.score_blame is not None
        assert [c.value for c in e.learning.score_blame] == trace.array(f"layer{layer}.scores.grad")[
            head, e.query
        ].tolist()
        added = next(c for c in e.contributions.components if (c.layer, c.head) == (e.layer, head))
        assert e.component == added
        leading = explanation(trace, check=False).component
        assert (e.leading.layer, e.leading.head) == (leading.layer, leading.head)


def test_a_layer_or_a_head_alone_chooses_the_one_of_them_that_moves_most():
    trace = regard.explain("The dog sat on the mat", model="untrained")
    size = {(c.layer, c.head): abs(c.contribution) for c in explanation(trace).contributions.components}
    for number in range(2):
        of_layer = explanation(trace, layer=number)
        assert of_layer.layer == f"layer{number}"
        assert size[of_layer.layer, of_layer.component.head] == max(size[f"layer{number}", h] for h in range(2))
        of_head = explanation(trace, head=number)
        assert of_head.component.head == number
        assert size[of_head.layer, number] == max(size[f"layer{i}", number] for i in range(2))


@pytest.mark.parametrize(
    "place, said",
    [
        ({"layer": 2}, "no layer 2; there are 2 layers, 0 to 1"),
        ({"layer": 0, "head": 7}, "no head 7; there are 2 heads, 0 to 1 in layer 0"),
        ({"head": -1}, "no head -1"),
    ],
)
def test_a_head_that_is_not_there_is_told(place, said):
    trace = regard.explain("The dog sat", model="untrained")
    with pytest.raises(NotFound, match=said):
        explanation(trace, **place)
