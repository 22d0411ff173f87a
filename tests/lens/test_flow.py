"""Flow conserves: into every word, out of every word, and down to the words of the text, with nothing left over."""

from dataclasses import replace

import numpy as np
import pytest

import regard
from regard.lens.flowing import flowing
from regard.models.catalogue import find_model
from regard.models.huggingface.writing import save_as_huggingface
from regard.trace import Labels

NEAR = 1e-9  # of the sum of all sizes that meet at a node


def with_words(trace):
    """A vocabulary for a random variant, so that two of its words can be compared."""
    count = trace.step("logits").shape[-1]
    words = tuple(f"w{i}" for i in range(count))
    return replace(trace, labels=Labels({**trace.labels.words, "V": words}), compared=("w2", "w5"))


def value(step, like=0.0):
    return np.zeros_like(like) if step is None else step.value


def check_nodes(trace):
    """Every height: what enters a word is what the word carries, and what a word carries is what leaves it."""
    flow = flowing(trace)
    for block in flow.blocks:
        node = flow.nodes.get(block.above.name)
        if node is None:
            continue
        parts = [value(block.kept, node.value), value(block.thought, node.value)]
        parts += [step.value for step in block.entering]
        if block.edges is not None:
            parts += [*block.edges.value.sum(axis=-1)]
        if block.constant is not None:
            parts += [*block.constant.value]
        sizes = sum(np.abs(p) for p in parts) + np.abs(node.value)
        assert np.all(np.abs(sum(parts) - node.value) <= NEAR * np.maximum(sizes, 1e-12)), block.name
        below = flow.nodes.get(block.below.name)
        if below is None:
            continue
        leaving = [value(block.kept, below.value), value(block.thought, below.value)]
        if block.edges is not None:
            leaving += [*block.edges.value.sum(axis=1)]
        sizes = sum(np.abs(p) for p in leaving) + np.abs(below.value)
        assert np.all(np.abs(sum(leaving) - below.value) <= NEAR * np.maximum(sizes, 1e-12)), block.name
    return flow


def check_goal(trace, flow):
    whole = sum(abs(float(s.in_all.value)) for s in flow.sources) + abs(trace["margin"])
    assert abs(trace["flow.sum"] - trace["margin"]) <= NEAR * max(whole, 1e-12)
    assert abs(sum(float(s.in_all.value) for s in flow.sources) - trace["margin"]) <= NEAR * max(whole, 1e-12)


def test_every_variant_conserves(variant, trace_of):
    trace = with_words(trace_of(variant))
    check_goal(trace, check_nodes(trace))


EDITS = (
    "layer0.weights[1,2,0]",
    "layer0.v[0,1,1]",
    "x[2,3]",
    "layer0.attended[1,2]",
    "logits[5]",
    "layer0.context[0,2,1]",
)


def test_every_variant_conserves_under_edits(variant, trace_of):
    trace = with_words(trace_of(variant))
    for address in EDITS:
        name, places = address.rstrip("]").split("[")
        if name not in trace.steps:
            continue
        step = trace.step(name)
        at = [min(int(p), n - 1) for p, n in zip(places.split(","), step.shape[-len(places.split(",")) :])]
        at = [0] * (len(step.shape) - len(at)) + at
        trace = trace.edit(f"{name}[{','.join(map(str, at))}]", 0.37)
    check_goal(trace, check_nodes(trace))


def test_a_held_margin_is_affine_in_the_words(plain_variant, trace_of):
    """The direction at x is the slope of the margin with everything held: by definition, one number at a time."""
    trace = with_words(trace_of(plain_variant))
    held = trace
    for step in trace.forward:
        if step.name.endswith(("weights", "deviation", "opened")):
            held = held.pin(step.name, step.value)
    direction = trace.array("x.toward")
    for at in [(0, 1), (2, 3), (1, 0)]:
        moved = held.edit(f"x[{at[0]},{at[1]}]", float(trace.array("x")[at]) + 1.0)
        if any(name in trace.steps for name in ("layer0.activated",)):
            return  # a curve is held by its gate, which no pin can say
        assert moved["margin"] - trace["margin"] == pytest.approx(float(direction[at]), abs=1e-9)


def test_the_prototype_sentence_in_english():
    trace = replace(regard.explain("Once upon a time there was a little", model="english"), compared=("girl", "boy"))
    words = [0.2743, 0.0461, 0.0311, 0.0705, 0.2464, 0.2147, 0.0383, 0.7519]
    assert np.round(trace.array("flow.words"), 4).tolist() == words
    assert trace["margin"] == pytest.approx(1.6734584531055514, abs=1e-12)
    check_goal(trace, check_nodes(trace))


def test_masked_tells_words_positions_segments_and_biases_apart():
    trace = regard.explain("The cat [MASK] on the mat", model="masked")
    flow = check_nodes(trace)
    check_goal(trace, flow)
    parts = [trace.array(f"flow.{name}").sum() for name in ("embeddings", "positions", "segments")]
    assert sum(parts) + trace["flow.biases"] == pytest.approx(trace["margin"], abs=1e-12)
    assert all(abs(p) > 1e-3 for p in parts)


def test_looks_add_up_to_the_score_on_every_variant(variant, trace_of):
    trace = trace_of(variant)
    for layer in range(2):
        if f"layer{layer}.scores" in trace.steps:
            cell = trace.cell(f"layer{layer}.scores[1,2,1]")
            found = trace.looks(f"layer{layer}.scores[1,2,1]")
            whole = np.abs(found.products).sum() + abs(cell.value)
            assert abs(found.products.sum() - cell.value) <= NEAR * whole
            assert "set by hand" not in {part.name for part in found.queries}
            best = found.top(1)[0]
            assert best.cell.value == pytest.approx(np.abs(found.products).max() * np.sign(best.cell.value))


def test_looks_name_what_was_set_by_hand(plain_variant, trace_of):
    trace = trace_of(plain_variant).edit("x[2,3]", 0.9).edit("layer0.q[1,2,1]", 0.4)
    found = trace.looks("layer0.scores[1,2,1]")
    assert found.products.sum() == pytest.approx(trace["layer0.scores[1,2,1]"], abs=1e-12)
    assert "set by hand" in {part.name for part in found.queries}


def test_only_scores_are_looked_into():
    trace = regard.explain("The dog sat", model="untrained")
    with pytest.raises(ValueError, match="only a score such as"):
        trace.looks("layer0.weights[0,1,1]")


def test_an_edge_that_is_cut_is_a_run_of_its_own():
    """In the last layer nothing follows but the norm: with the norm held, the flow is what is lost."""
    trace = regard.explain("The quick brown fox", next="jumps")
    check = trace.flow().check(4)
    assert check.lost == pytest.approx(check.expected["flow"], abs=1e-12)  # the fox has no norm: nothing is held
    edge = check.edges[0]
    by_hand = trace.edit(f"weights[{edge.to},{edge.source}]", 0.0)
    assert edge.cut.value == by_hand["margin"]
    assert "set to 0" in trace.why(edge.cut).symbols()


def test_ways_to_guess_what_a_cut_does_by_definition():
    trace = regard.explain("The dog sat", model="untrained")
    check = trace.flow().check(12)
    slope = []
    for edge in check.edges:
        address = f"{edge.layer}.weights[{','.join(map(str, edge.flow.at))}]"
        up, down = (trace.edit(address, edge.weight.value + h)["margin"] for h in (1e-6, -1e-6))
        slope.append(edge.weight.value * (up - down) / 2e-6)
    assert check.expected["gradient × input"] == pytest.approx(slope, abs=1e-7)
    top = [row for row, edge in enumerate(check.edges) if edge.layer == "layer1"]
    query = int(trace.array("query"))
    for row in top:
        edge = check.edges[row]
        expected = edge.weight.value / 4 if edge.to == query else 0.0
        assert check.expected["attention rollout"][row] == pytest.approx(expected)
    assert all(c is None or -1 <= c <= 1 for c in check.correlation.values())


@pytest.mark.parametrize(
    "model, text", [("english", "Once upon a time there was a little"), ("masked", "The cat [MASK] on the mat")]
)
def test_folders_of_others_conserve(tmp_path, model, text):
    """The Llama and the BERT layout, through their files."""
    save_as_huggingface(find_model(model), tmp_path / model)
    trace = regard.explain(text, model=str(tmp_path / model))
    check_goal(trace, check_nodes(trace))


def test_all_paths_of_one_layer_together_are_the_flow_of_the_words(plain_variant, trace_of):
    """Every way of a small model, one by one, by definition: their sum is what the words carry at the bottom."""
    for choices in ({}, {"norm_order": "after"}, {"mlp": "gated"}, {"mlp": "no-mlp"}):
        variant = plain_variant.but(layers="1layer", **choices)
        flow = with_words(trace_of(variant, tokens=3)).flow("w2", "w5")
        heads = flow.parts.blocks[0].edges.shape[0]
        attends = ["kept", *((head, to) for head in range(heads) for to in range(3))]
        thinks = ["kept", "mlp"] if len(flow.parts.blocks) == 2 else []
        total, sizes = 0.0, 0.0
        for word in range(3):
            for first in attends:
                for ways in [(first, second) for second in thinks] or [(first,)]:
                    carried = flow.path(word, *ways).carried
                    total, sizes = total + carried, sizes + abs(carried)
        bottom = next(iter(flow.nodes.values())).value.sum()
        assert abs(total - bottom) <= NEAR * max(sizes, 1e-12), choices


def test_the_strongest_paths_are_found_and_open():
    trace = regard.explain("The dog sat", model="untrained")
    flow = trace.flow()
    best = flow.paths(3)
    assert len(best) == 3 and abs(best[0].carried) >= abs(best[1].carried)
    ways = [(int(w.through[4:]), w.word) if w.through.startswith("head") else w.through for w in best[0].ways]
    assert flow.path(best[0].source, *ways).carried == pytest.approx(best[0].carried, abs=1e-12)
    assert trace.why(best[0].cell).value == best[0].carried
    with pytest.raises(ValueError, match="one way for each block"):
        flow.path(0, "kept")
