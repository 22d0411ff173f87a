"""Editing, dragging, pinning, undoing, learning: what changes, what is shared, what is refused."""

import gc

import numpy as np
import pytest

from regard.toys.shipped import shipped
from regard.trace import Step, Trace


@pytest.fixture
def run() -> Trace:
    trace = shipped("fox").run("The quick brown fox", "jumps")
    for step in trace.steps.values():
        _ = step.value
    return trace


def after(trace: Trace, name: str) -> set[str]:
    """The names of the steps that depend on one."""
    found = {trace.step(name)}
    for step in trace.forward:
        if any(i in found for i in step.inputs):
            found.add(step)
    return {s.name for s in found}


@pytest.mark.parametrize(
    "cell", ["weights[fox,The]", "logits[run]", "q[fox,1]", "W_K[0,1]", "E[brown,0]", "x[quick,0]"]
)
def test_an_edit_computes_again_only_what_depends_on_it(run, cell):
    name = run.cell(cell).step.name
    edited = run.edit(cell, 0.33)
    changed = after(run, name)
    for step in run.forward:
        if step.name in changed:
            assert edited.steps[step.name] is not step
        else:
            assert edited.steps[step.name] is step and step.is_computed
    assert edited[cell] == 0.33
    assert np.array_equal(edited.array(f"{name}.original"), run.array(name))
    assert edited.steps[f"{name}.original"].is_computed
    assert float(edited.array("loss")) != float(run.array("loss"))


def test_the_trace_that_was_edited_is_as_it_was(run):
    before = {name: step.value.copy() for name, step in run.steps.items()}
    run.edit("weights[fox,fox]", 0.1).move("weights[quick,The]", 0.9).update(0.5).array("loss")
    assert run.edits == () and run.of is None
    assert all(np.array_equal(before[n], s.value, equal_nan=True) for n, s in run.steps.items())


def test_values_cannot_be_written_and_traces_cannot_be_changed(run):
    trace = run.edit("weights[fox,fox]", 0.5).backward().update(0.1)
    for step in [*trace.steps.values(), *trace.parent.steps.values()]:
        assert not step.value.flags.writeable, step.name
    with pytest.raises(AttributeError):
        trace.edits = ()
    with pytest.raises(AttributeError):
        trace.step("weights").name = "scores"


def test_an_edit_is_exactly_what_follows_from_it(run):
    edited = run.edit("weights[fox,The]", 0.5)
    row = np.array([0.5, 0.05, 0.10, 0.75])
    context = row @ run.array("E")
    logits = run.array("W_out") @ context
    np.testing.assert_allclose(edited.array("context")[0, 3], context, rtol=1e-14)
    np.testing.assert_allclose(edited.array("probabilities"), np.exp(logits) / np.exp(logits).sum(), rtol=1e-14)
    assert edited.array("weights")[0, 3].sum() == pytest.approx(1.4)


def test_a_cell_may_be_edited_again_and_again(run):
    twice = run.edit("weights[fox,The]", 0.5).edit("weights[fox,The]", 0.6).edit("weights[fox,quick]", 0.7)
    assert twice.array("weights")[0, 3].tolist()[:2] == [0.6, 0.7]
    assert twice["weights.original[fox,The]"] == pytest.approx(0.10)
    assert twice["weights.original2[fox,The]"] == 0.5
    assert twice["weights.original3[fox,quick]"] == pytest.approx(0.05)
    assert [e.number for e in twice.edits] == [0.5, 0.6, 0.7]
    assert twice.undo()["weights[fox,quick]"] == pytest.approx(0.05)


def test_the_original_of_an_edited_step_may_be_edited(run):
    trace = run.edit("weights[fox,The]", 0.5).edit("weights.original[fox,quick]", 0.9)
    assert trace["weights[fox,quick]"] == 0.9 and trace["weights[fox,The]"] == 0.5
    assert trace["weights.original.original[fox,quick]"] == pytest.approx(0.05)


@pytest.mark.parametrize("value", [0.0, 0.2, 0.75, 1.0])
def test_dragging_keeps_the_sum_and_the_proportions_of_the_others(run, value):
    row = run.move("weights[fox,fox]", value).array("weights")[0, 3]
    assert row[3] == value
    assert row.sum() == pytest.approx(1.0, abs=1e-15)
    np.testing.assert_allclose(row[:3], np.array([0.4, 0.2, 0.4]) * (1 - value), atol=1e-15)
    others = run.move("weights[fox,fox]", value).array("weights")[0, :3]
    assert np.array_equal(others, run.array("weights")[0, :3])


def test_dragging_is_refused_where_there_is_no_distribution(run):
    with pytest.raises(ValueError, match="not a row of shares that sums to 1"):
        run.move("logits[fox]", 0.5)
    with pytest.raises(ValueError, match="not a row of shares"):
        run.edit("weights[fox,fox]", 0.1).move("weights[fox,The]", 0.5)
    with pytest.raises(ValueError, match="not a row of shares"):
        run.move("loss", 0.5)
    for value in (-0.1, 1.5):
        with pytest.raises(ValueError, match="between 0 and 1"):
            run.move("weights[fox,The]", value)
    with pytest.raises(ValueError, match="no other cell of this row"):
        run.move("weights[The,The]", 0.5)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), "many", None, [1.0]])
@pytest.mark.parametrize("how", ["edit", "move"])
def test_only_finite_numbers_go_into_a_cell(run, value, how):
    with pytest.raises(ValueError, match=r"expects a (finite )?number"):
        getattr(run, how)("weights[fox,The]", value)


@pytest.mark.parametrize("cell", ["tokens[2]", "visible[fox,The]", "distances[fox,The]", "target", "query"])
def test_ids_and_masks_are_not_numbers_to_edit(run, cell):
    with pytest.raises(ValueError, match="not numbers to edit; replace it with pin"):
        run.edit(cell, 1.0)
    with pytest.raises(ValueError, match="not numbers to edit; replace it with pin"):
        run.move(cell, 1.0)


def test_whole_steps_can_be_pinned_ids_and_masks_too(run):
    assert run.pin("visible", np.ones((4, 4), dtype=bool))["weights[The,fox]"] > 0
    other = run.pin("tokens", [0, 1, 2, 2])
    assert np.array_equal(other.array("x")[3], run.array("E")[2])
    weights = run.pin("weights", np.full((1, 4, 4), 0.25))
    np.testing.assert_allclose(weights.array("context")[0], np.tile(run.array("E").mean(0), (4, 1)), rtol=1e-14)
    given = np.full((1, 4, 4), 0.25)
    kept = run.pin("weights", given)
    given[:] = 9.0
    assert kept["weights[fox,The]"] == 0.25


def test_a_pin_of_another_shape_or_kind_is_refused(run):
    with pytest.raises(ValueError, match=r"weights expects an array of shape \(1, 4, 4\), got \(4, 3\)"):
        run.pin("weights", np.ones((4, 3)))
    assert run.pin("weights", np.full((4, 4), 0.25))["weights[fox,The]"] == 0.25  # the one head may be left out
    for bad in (np.nan, np.inf):
        with pytest.raises(ValueError, match="expects finite numbers up to"):
            run.pin("logits", [0.0, 0.0, bad, 0.0])
    for bad in (0.5, 1e19, -1e30):
        with pytest.raises(ValueError, match="tokens expects whole numbers, none beyond 2³¹, got"):
            run.pin("tokens", [bad, 1, 2, 3])
    hidden = run.pin("masked", np.full((1, 4, 4), -np.inf))
    assert not hidden.array("weights").any()


def test_undo_goes_back_one_and_reset_goes_back_all(run):
    one = run.edit("weights[fox,The]", 0.5)
    two = one.move("probabilities[run]", 0.5)
    three = two.pin("q", np.ones((1, 4, 2)))
    assert [len(t.edits) for t in (one, two, three)] == [1, 2, 3]
    assert three.undo().forward == two.forward
    assert three.undo().undo().forward == one.forward
    assert three.reset().forward == run.forward and three.reset().edits == ()
    with pytest.raises(ValueError, match="nothing to undo"):
        run.undo()
    assert run.reset().forward == run.forward


def test_undo_and_reset_keep_asking_for_gradients(run):
    edited = run.edit("weights[fox,The]", 0.5).backward()
    assert edited.undo().of == "loss" and edited.reset().of == "loss"
    assert run.backward().edit("weights[fox,The]", 0.5).of == "loss"


def test_reset_after_learning_takes_the_edits_away_and_keeps_what_was_learned(run):
    edited = run.edit("weights[fox,The]", 0.5).move("probabilities[run]", 0.4).pin("v", np.ones((1, 4, 2)))
    edited = edited.edit("v[fox,0]", 3.0).edit("W_out[run,0]", 0.2).backward().edit("W_out.grad[run,1]", 0.7)
    learned = edited.update(0.3).update(0.3)
    assert learned.edits == edited.edits
    plain = learned.reset()
    assert plain.edits == ()
    assert [s.name for s in plain.forward] == [s.name for s in run.forward]
    assert [s.op.kind for s in plain.forward] == [s.op.kind for s in run.forward]
    for name, step in run.parameters.items():
        learned_name = "W_out.original" if name == "W_out" else name
        assert np.array_equal(plain.array(name), learned.array(learned_name)), name
        assert plain.steps[name].op.role == step.op.role == "parameter"
    fresh = plain.backward()
    assert np.isfinite(fresh.array("E.grad")).all() and "W_Q.grad" in fresh
    # and the same numbers as the plain run of those parameters
    by_hand = run
    for name in run.parameters:
        by_hand = by_hand.pin(name, plain.array(name))
    np.testing.assert_allclose(plain.array("loss"), by_hand.array("loss"), rtol=1e-14)


def test_undo_after_learning_undoes_the_update_then_the_edits(run):
    edited = run.edit("weights[fox,The]", 0.5).move("probabilities[run]", 0.4)
    learned = edited.update(0.3)
    before = learned.undo()
    assert before.forward == edited.forward and "W_out.next" in before
    assert [e.step for e in before.undo().edits] == ["layer0.weights"]
    assert before.undo().undo().edits == ()
    assert before.undo().undo().array("loss") == run.array("loss")
    with pytest.raises(ValueError, match="nothing to undo"):
        before.undo().undo().undo()


def test_backward_asks_for_one_number_of_the_forward_pass(run):
    assert run.backward() is not run and run.backward().backward().of == "loss"
    trace = run.backward()
    assert trace.backward() is trace
    assert trace.backward("chosen").of == "chosen"
    with pytest.raises(KeyError, match="weights is not one number"):
        run.backward("weights")
    with pytest.raises(ValueError, match="is part of a backward pass"):
        trace.backward("loss.grad")
    assert "weights.grad" not in run and "weights.grad" in trace


def test_a_gradient_may_be_edited_and_what_follows_from_it_follows(run):
    trace = run.backward()
    edited = trace.edit("logits.grad[jumps]", 0.0)
    assert np.array_equal(edited.array("loss"), trace.array("loss"))
    expected = edited.array("logits.grad") @ run.array("W_out")
    np.testing.assert_allclose(edited.array("read.grad"), expected, rtol=1e-14)
    assert edited["logits.grad.original[jumps]"] == trace["logits.grad[jumps]"]
    learned = edited.update(1.0, ["W_out"])
    assert np.array_equal(learned.array("W_out")[3], run.array("W_out")[3])
    assert not np.array_equal(learned.array("W_out")[2], run.array("W_out")[2])
    pinned = trace.pin("weights.grad", np.zeros((1, 4, 4)))
    assert not pinned.array("W_Q.grad").any() and pinned.array("W_V.grad").any()


def test_an_edit_of_a_gradient_that_is_no_longer_there_is_passed_over(run):
    trace = run.backward().edit("W_Q.grad[0,0]", 1.0).pin("weights", np.full((1, 4, 4), 0.25))
    assert "W_Q.grad" not in trace.steps and "W_V.grad" in trace
    assert "probabilities.grad" not in run.backward().edit("probabilities.grad[run]", 1.0).backward("logit_total")


def test_an_update_is_a_step_down_the_gradient_for_each_parameter_that_learns(run):
    trace = run.backward()
    learned = trace.update(0.1)
    for name in run.parameters:
        expected = trace.array(name) - 0.1 * trace.array(f"{name}.grad")
        np.testing.assert_allclose(learned.array(name), expected, rtol=1e-15)
        assert np.array_equal(learned.parent.array(f"{name}.next"), learned.array(name))
        assert learned.steps[name].op.role == "parameter"
    assert learned.array("loss") < run.array("loss")
    assert learned.parent.why("W_out.next[jumps,0]").text() == "0.2482 = 0.2000 − 0.1·(-0.4823)"
    assert np.array_equal(learned.backward().array("E.grad"), learned.array("E.grad"))


def test_the_gradients_after_an_update_are_those_of_the_new_numbers(run, quotients):
    trace = run.edit("weights[fox,The]", 0.3).backward().update(0.7).update(0.7)
    for step in trace.parameters.values():
        np.testing.assert_allclose(trace.array(f"{step.name}.grad"), quotients(trace, step), atol=1e-10)
    again = Trace(trace.forward, trace.labels, edits=trace.edits).backward()
    assert [s.name for s in again.gradients] == [s.name for s in trace.gradients]
    for name, step in again.steps.items():
        assert np.array_equal(step.value, trace.array(name)), name


def test_the_parent_of_an_update_has_the_gradients_it_learned_from(run):
    parent = run.backward().update(0.1).parent
    step = parent.steps["W_out.next"]
    assert step.inputs == (parent.steps["W_out"], parent.steps["W_out.grad"])
    assert parent.why("W_out.next[jumps,0]").symbols() == "W_out[jumps,0] − 0.1·W_out.grad[jumps,0]"


def test_only_what_is_named_learns(run):
    learned = run.update(0.1, ["W_Q", "layer0.W_K"])
    for name, step in run.parameters.items():
        assert (learned.steps[name] is step) == (name not in ("layer0.W_Q", "layer0.W_K"))
    assert run.update(0.1, "E").steps["W_out"] is run.steps["W_out"]
    with pytest.raises(KeyError, match="no parameter 'W_P'; did you mean"):
        run.update(0.1, ["W_P"])
    with pytest.raises(ValueError, match="a rate expects a finite number"):
        run.update(float("nan"))


def test_a_role_stands_for_that_of_every_layer(plain_variant, trace_of):
    trace = trace_of(plain_variant.but(layers="2layers"))
    learned = trace.update(0.1, ["W_V"])
    changed = {name for name, step in trace.parameters.items() if learned.steps[name] is not step}
    assert changed == {"layer0.W_V", "layer1.W_V"}


def test_an_update_keeps_edits(run):
    learned = run.edit("weights[fox,The]", 0.5).edit("W_out[run,0]", 0.9).update(0.5)
    assert learned["weights[fox,The]"] == 0.5 and learned["W_out[run,0]"] == 0.9
    assert len(learned.edits) == 2
    # behind the edited cell the parameter stands still, beside it it learns
    assert learned["W_out.original[run,0]"] == run["W_out[run,0]"]
    assert learned["W_out.original[run,1]"] != run["W_out[run,1]"]
    assert learned["weights.original[fox,fox]"] != run["weights[fox,fox]"]


def test_a_pinned_parameter_does_not_learn(run):
    learned = run.pin("W_out", np.ones((4, 2))).update(0.5)
    assert np.array_equal(learned.array("W_out"), np.ones((4, 2)))


@pytest.mark.parametrize("how", ["edit", "pin"])
def test_what_an_update_computed_is_not_edited_but_the_parameter_is(run, how):
    parent = run.update(0.1).parent
    with pytest.raises(ValueError, match=r"W_out.next is computed from a gradient; edit W_out instead"):
        parent.edit("W_out.next[run,0]", 1.0) if how == "edit" else parent.pin("W_out.next", np.ones((4, 2)))


def living_steps() -> int:
    gc.collect()
    return sum(type(thing) is Step for thing in gc.get_objects())  # isinstance would wake lazy modules of others


def test_a_thousand_updates_hold_the_memory_of_two(run):
    trace = run.edit("weights[fox,The]", 0.2).update(0.01).update(0.01)
    before = living_steps()
    for _ in range(1000):
        trace = trace.update(0.01)
    assert living_steps() <= before
    assert trace.parent is not None and trace.parent.parent is None
    steps = {s for t in (trace, trace.parent) for s in t.steps.values()}
    reached, waiting = set(steps), list(steps)
    while waiting:
        new = [i for i in waiting.pop().inputs if i not in reached]
        reached.update(new)
        waiting += new
    assert reached == steps


def test_a_chain_longer_than_pythons_stack_is_computed():
    from regard.ops import Given, Map

    steps = [Step("x", Given([1.0], "K"))]
    for n in range(5000):
        steps.append(Step(f"x{n}", Map("same", "K->K"), (steps[-1],)))
    assert steps[-1].value.tolist() == [1.0]


def test_two_steps_of_one_name_are_refused(run):
    with pytest.raises(ValueError, match="two steps are called 'loss'"):
        _ = Trace((*run.forward, run.step("loss"))).steps


def test_a_trace_can_be_asked_in_many_words(run):
    assert "weights" in run and "wieghts" not in run
    assert run["weights"].shape == (1, 4, 4) and run["weights[fox]"].shape == (4,)
    assert isinstance(run["weights[fox,The]"], float)
    assert np.asarray(run["weights[fox]"]).tolist() == run.array("weights")[0, 3].tolist()
    assert float(np.asarray(run["loss"])) == float(run.array("loss"))


def test_a_gradient_can_be_taken_of_any_cell(run):
    """context[fox,0] is Σ weight · v[·,0]: its gradient in the weights of fox is v[·,0], elsewhere 0."""
    trace = run.backward("context[fox,0]")
    assert float(trace.array("goal")) == run["context[fox,0]"]
    expected = np.zeros((1, 4, 4))
    expected[0, 3] = run.array("v")[0, :, 0]
    assert np.allclose(trace.array("weights.grad"), expected)
    again = trace.backward("context[fox,1]")
    assert np.allclose(again.array("weights.grad")[0, 3], run.array("v")[0, :, 1])
    assert sum(s.name == "goal" for s in again.forward) == 1


def test_learning_for_one_goal_is_forgotten_with_it(run):
    """What W would become for the loss is not what it would become for another number."""
    trace = run.backward().update(0.1).undo()
    assert "W_out.next" in trace
    assert "W_out.next" not in trace.backward("logit_total")


def test_a_run_without_a_target_says_what_it_needs():
    with pytest.raises(ValueError, match="say which word should follow"):
        shipped("fox").run("The quick brown fox").backward()


def test_numbers_of_rows_that_do_not_exist_cannot_be_pinned(run):
    for name, rows in (("tokens", [99, 0, 0, 0]), ("tokens", [-1, 0, 0, 0]), ("query", 4), ("target", 9)):
        with pytest.raises(ValueError, match="expects rows of"):
            run.pin(name, rows)


def test_a_step_is_shown_by_its_name(run):
    assert repr(run.step("loss")) == "<Step loss  ()>"


def test_a_dragged_number_says_what_it_was(run):
    dragged = run.move("weights[fox,fox]", 0.2)
    was = run["weights[fox,fox]"]
    assert dragged.why("weights[fox,fox]").text() == f"0.20 (set by hand; was {was:.4f})"
    assert dragged.edit("weights[fox,fox]", 0.3).why("weights[fox,fox]").text() == "0.30 (set by hand; was 0.2000)"
