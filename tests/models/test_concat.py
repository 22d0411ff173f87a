"""The heads side by side stand in every run, beside the way that its numbers take."""

import numpy as np
import pytest

import regard
from regard.models.catalogue import find_model
from regard.models.glass import Glass
from regard.models.joining import Added
from regard.models.long import read_long
from regard.ops import Merge
from regard.trace import Trace
from regard.trace.files import load
from regard.trace.wire import from_json

CAT = "On the mat a cat sat"


def test_side_by_side_through_W_O_is_what_was_attended(variant, trace_of):
    trace = trace_of(variant)
    for layer in range(variant["layers"]):
        if isinstance(variant["joining"], Added):
            assert f"layer{layer}.concat" not in trace.steps  # heads that are added up are not laid side by side
            continue
        context, concat = trace.array(f"layer{layer}.context"), trace.array(f"layer{layer}.concat")
        assert np.array_equal(concat, np.concatenate(list(context), axis=-1))
        joined = concat
        if variant["output_projection"]:
            joined = joined @ trace.array(f"layer{layer}.W_O").reshape(concat.shape[-1], -1)
            joined = joined + (trace.array(f"layer{layer}.b_O") if variant["biases"] else 0.0)
        np.testing.assert_allclose(joined, trace.array(f"layer{layer}.attended"), rtol=1e-12, atol=1e-13)


def test_a_run_without_it_has_the_same_numbers_and_the_same_backward_pass(variants, trace_of):
    for variant in variants[::6]:
        trace = trace_of(variant).backward()
        without = Trace(tuple(s for s in trace.forward if not isinstance(s.op, Merge)), trace.labels, of="loss")
        assert [(s.name, s.op.data()) for s in trace.gradients] == [(s.name, s.op.data()) for s in without.gradients]


def test_it_is_computed_when_somebody_looks_and_not_before():
    trace = regard.explain(CAT, "purring", "two-heads")
    _ = trace.array("loss"), trace.array("W_Q.grad")
    assert not trace.step("concat").is_computed
    assert trace.edit("context[1,cat,1]", 9.0)["concat[cat,3]"] == 9.0


def test_a_change_there_is_refused_because_nothing_reads_it():
    trace = regard.explain(CAT, "purring", "two-heads")
    said = "nothing reads layer0.concat; edit layer0.context or layer0.by_head instead"
    with pytest.raises(ValueError, match=said):
        trace.edit("concat[cat,3]", 1.0)
    with pytest.raises(ValueError, match=said):
        trace.pin("concat", np.zeros((6, 4)))
    blamed = trace.backward("concat[cat,3]")  # which does read it
    assert blamed.edit("concat[cat,3]", 1.0)["goal"] == 1.0
    assert blamed["context.grad[1,cat,1]"] == 1.0 and np.count_nonzero(blamed.array("context.grad")) == 1


def test_it_comes_back_from_files_and_stands_in_long_texts(tmp_path):
    trace = regard.explain(CAT, "purring", "two-heads")
    trace.save(tmp_path / "run.npz")
    for again in (load(tmp_path / "run.npz"), from_json(trace.json())):
        assert np.array_equal(again.array("concat"), trace.array("concat"))
    long, _ = read_long(find_model("two-heads"), CAT)
    np.testing.assert_allclose(long.array("concat"), trace.array("concat"), rtol=1e-12)


def test_one_head_that_is_passed_on_as_it_is_has_nothing_to_join():
    do = Glass()
    do.join(do.given("context", np.ones((1, 3, 2)), "HQD"), None, None)
    assert [s.name for s in do.steps] == ["context", "attended"]
