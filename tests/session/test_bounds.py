"""What a request costs is bounded, whatever it looked like at first: its cells, its memory, and its time."""

import math

import pytest

import regard
from regard.session import answers, lenses, limits
from regard.session.changes import applied, cells_with_backward, change_from
from regard.session.charging import Bill, billed
from regard.session.questions import ExplainQuestion, GenerateQuestion, ValuesQuestion
from regard.session.refusal import TooLarge
from regard.session.shelf import Shelf
from regard.session.state import State
from regard.session.traces import Traces
from regard.trace.keeping import LARGE, Keeper, watched_by

WORDS = " ".join(f"w{n}" for n in range(60))
UNTRAINED = {"model": "untrained", "text": WORDS, "next": "w3"}
PLENTY = 2**40


def moves(many: int) -> list[dict]:
    return [{"kind": "move", "cell": f"layer0.weights[0,{59 - n % 30},{n % 30}]", "value": 0.1} for n in range(many)]


def edits(of_each_layer: int) -> list[dict]:
    places = [(layer, n) for n in range(of_each_layer) for layer in range(2)]
    return [{"kind": "edit", "cell": f"layer{layer}.weights[0,{59 - n},0]", "value": 0.1} for layer, n in places]


def wanted() -> None:
    """Somebody is waiting."""


def test_cells_are_counted_after_every_change(monkeypatch):
    trace = regard.explain(**UNTRAINED)
    begun = cells_with_backward(trace)
    monkeypatch.setattr(limits, "RUN_CELLS", 2 * begun)
    made = []

    def apply_all() -> None:
        changed = trace
        for change in moves(500):
            changed = applied(changed, change_from(**change))
            made.append(cells_with_backward(changed))

    with pytest.raises(TooLarge, match=r"after \d+ changes this run has [\d,]+ numbers, at most [\d,]+ .*; undo some"):
        apply_all()
    assert 2 < len(made) < 50
    assert max(made) <= 2 * begun


def test_the_count_is_about_that_of_all_steps_with_their_gradients():
    for trace in (regard.explain(**UNTRAINED), regard.explain("Once upon a time there was", next="a", model="english")):
        counted = sum(math.prod(step.shape) for step in trace.steps.values())
        assert 0.5 * counted < cells_with_backward(trace) < 2 * counted


@pytest.mark.parametrize("changes", [moves(30), edits(10), [{"kind": "update", "rate": 1e-3, "times": 10}]])
def test_what_is_computed_is_kept_within_its_bound_and_forgetting_changes_no_number(changes):
    """A keeper of a fraction of what all of it would take; the same answer as with room for everything."""
    asked = ExplainQuestion(**UNTRAINED, changes=changes, check=False)
    free, tight = Traces(Shelf()), Traces(Shelf())
    free.keeper, tight.keeper = Keeper(PLENTY), Keeper(2 * 2**20)
    most = 0
    keep = tight.keeper.keep

    def noted(step, size):
        nonlocal most
        keep(step, size)
        most = max(most, tight.keeper.held)

    tight.keeper.keep = noted  # pyright: ignore[reportAttributeAccessIssue]
    expected = answers.explain(wanted, free, asked)
    assert answers.explain(wanted, tight, asked) == expected
    assert most <= 2 * 2**20 < free.keeper.held
    assert tight.held <= limits.CACHE


def test_a_state_that_does_not_fit_is_answered_and_not_kept():
    roomy, tight = Traces(Shelf()), Traces(Shelf(), most_bytes=200_000)
    state = State(**UNTRAINED, changes=edits(3))
    assert tight.of(state).trace.json() == roomy.of(state).trace.json()
    assert tight.held <= 200_000 < roomy.held


def test_what_measuring_adds_to_a_kept_state_is_counted_and_dropped():
    traces = Traces(Shelf(), most_bytes=3_000_000)
    for number in range(3):
        asked = ExplainQuestion(**UNTRAINED, changes=[], rate=0.01 * (number + 1), check=False)
        answers.explain(wanted, traces, asked)
        answers.values(wanted, traces, ValuesQuestion(**UNTRAINED, step="without"))
        assert traces.held <= 3_000_000


def test_the_further_runs_of_a_measurement_are_on_the_bill(monkeypatch):
    """Sixty words left out one by one are sixty runs; asked for one step, a request is charged for all of them."""
    traces = Traces(Shelf())
    asked = ValuesQuestion(**UNTRAINED, step="without")
    one = cells_with_backward(traces.of(asked).trace)
    monkeypatch.setattr(limits, "WORK", 1)
    with pytest.raises(TooLarge, match="one request computes at most"), billed(Bill(wanted, 10 * one), traces.keeper):
        _ = traces.of(asked).trace.array("without")
    with billed(Bill(wanted, 400 * one), traces.keeper):
        assert traces.of(asked).trace.array("without").shape == (60,)


def test_work_stops_at_the_next_step_once_nobody_waits():
    class Left(Exception):
        pass

    asked = []

    def leaves() -> None:
        asked.append(1)
        if len(asked) > 50:
            raise Left

    traces, state = Traces(Shelf()), State(**UNTRAINED)
    traces.of(state)  # the forward pass; what is left is to measure it
    with pytest.raises(Left):
        answers.explain(leaves, traces, ExplainQuestion(**UNTRAINED, check=False))
    assert len(asked) == 51
    gradients = traces.of(state).trace.gradients
    assert sum(step.is_computed for step in gradients) < len(gradients) / 2, "it went on to the end"


def test_generation_has_the_budget_of_every_run(monkeypatch):
    monkeypatch.setattr(limits, "RUN_WEIGHTS", 2 * 2 * 20**2)
    asked = {"model": "untrained", "text": " ".join(WORDS.split()[:10])}
    assert lenses.generate(wanted, Traces(Shelf()), GenerateQuestion(**asked, count=10))
    with pytest.raises(TooLarge, match=r"2 layers × 2 heads × 21² words are 1,764 weights"):
        lenses.generate(wanted, Traces(Shelf()), GenerateQuestion(**asked, count=11))


def test_a_model_too_large_to_be_held_twice_does_not_learn_here(monkeypatch):
    monkeypatch.setattr(limits, "LEARNING", 20)
    with pytest.raises(TooLarge, match=r"a model of at most 20 parameters is updated here, this one has 33"):
        applied(regard.explain("The quick brown fox", next="jumps"), change_from("update"))
    told = answers.explain(wanted, Traces(Shelf()), ExplainQuestion(text="The quick brown fox", next="jumps"))
    assert b'"learning":null' in told


def test_a_keeper_forgets_first_what_one_operation_gives_again():
    keeper = Keeper(20 * LARGE)  # a step of this run has up to two
    with watched_by(keeper.keep):
        trace = regard.explain(**UNTRAINED)
        for step in trace.steps.values():
            _ = step.value
            assert keeper.held <= 20 * LARGE
    forgotten = [step for step in trace.steps.values() if not step.is_computed]
    assert len(forgotten) > 5
    # most can be had again by one operation
    assert sum(all(i.is_computed for i in step.inputs) for step in forgotten) > len(forgotten) / 2
    again = regard.explain(**UNTRAINED)
    assert all((step.value == again.steps[name].value).all() for name, step in trace.steps.items())


def test_models_are_listed_from_their_configuration_and_few_are_loaded(monkeypatch):
    shelf = Shelf()
    monkeypatch.setattr(limits, "MODELS", 1)
    listed = {model["name"]: model for model in shelf.listing()}
    assert not shelf._models
    for name in ("english", "masked", "fox", "two-heads"):
        model = shelf.model(name)
        expected = (model.title, list(model.notes), model.sentence, model.next, model.mask, len(model.writes))
        told = listed[name]
        assert (
            told["title"],
            told["notes"],
            told["sentence"],
            told["next"],
            told["mask"],
            told["vocabulary"],
        ) == expected
    assert list(shelf._models) == ["masked", "fox", "two-heads"]


def test_the_page_has_the_same_bounds():
    from pathlib import Path

    told = (Path(__file__).parents[2] / "web/src/bounds.ts").read_text(encoding="utf-8")
    same = {"changes": limits.CHANGES, "pinned": limits.PINNED, "updates": limits.UPDATES, "address": limits.ADDRESS}
    same |= {"allUpdates": limits.ALL_UPDATES, "name": limits.NAME, "number": limits.LARGEST, "rate": limits.RATE}
    for name, value in same.items():
        line = next(line for line in told.splitlines() if line.strip().startswith(f"{name}:"))
        assert float(line.partition(":")[2].partition(",")[0].replace("_", "")) == value, name
