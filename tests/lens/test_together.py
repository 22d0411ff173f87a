"""What a short list leaves out is what is left when its numbers are taken from the whole."""

import numpy as np
import pytest

from regard.lens.explanation import explanation
from regard.models.catalogue import find_model

TEXT = "The dog sat on the mat and the cat ran away"


@pytest.fixture(params=["plain", "edited", "hidden"])
def trace(request):
    run = find_model("untrained").run(TEXT, "it").backward()
    changed = {"edited": lambda: run.edit("layer1.weights[1,10,2]", 0.37), "hidden": lambda: run.hide("mat")}
    return changed.get(request.param, lambda: run)()


@pytest.mark.parametrize("number", [0, 2, 5])
def test_the_rest_of_a_row_of_weights(trace, number):
    e = explanation(trace, check=False)
    shown = {r.position for r in e.strongest(number)}
    left = sum(r.weight.value for r in e.readings if r.position not in shown)
    assert e.hidden_weight(number).value == pytest.approx(left, abs=1e-12)
    assert e.whole.value == pytest.approx(sum(r.weight.value for r in e.readings), abs=1e-12)


@pytest.mark.parametrize("number", [0, 2, 5])
def test_the_rest_of_the_probabilities(trace, number):
    e = explanation(trace, check=False)
    likely = e.likeliest(number)
    assert e.target in [c.word for c in likely]
    together = sum(c.probability.value for c in likely)
    assert e.unlikely(number).value == pytest.approx(trace.array("probabilities").sum() - together, abs=1e-12)


@pytest.mark.parametrize("number", [0, 1, 3, 5])
def test_the_rest_of_the_contributions(trace, number):
    pair = explanation(trace, check=False).contributions
    sizes = sorted((c.contribution for c in pair.components), key=lambda size: -abs(size))
    rest = trace.cell(f"contribution.rest{number}").value
    assert rest == pytest.approx(pair.difference - sum(sizes[:number]), abs=1e-9)


def test_the_words_of_a_head_add_up_to_what_the_head_contributes(trace):
    for layer in range(2):
        for head in range(2):
            e = explanation(trace, check=False, layer=layer, head=head)
            added = [r.importance.contribution.value for r in e.readings if r.importance.contribution is not None]
            assert e.component.contribution == pytest.approx(sum(added), abs=1e-12)


def test_the_rest_of_the_biases():
    flow = find_model("masked").run("The little [MASK] went home").flow()
    sizes = sorted((cell.value for cell in flow.biases.values()), key=lambda size: -abs(size))
    assert flow.trace["flow.biases.rest7"] == pytest.approx(np.sum(sizes[7:]), abs=1e-9)
