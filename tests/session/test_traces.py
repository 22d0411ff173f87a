"""Traces that are kept: bounded in bytes, never wrong, and a further change costs only that change."""

import regard.session.traces as module
from regard.session.shelf import Shelf
from regard.session.state import State
from regard.session.traces import Traces, changed


def test_traces_that_are_kept_are_bounded_in_bytes():
    traces = Traces(Shelf(), most_bytes=1_000_000)
    text = "The quick brown fox"
    for number in range(40):
        traces.of(State(text=f"{text} {'w' * (number + 1)}", next="jumps"))
        assert traces.held <= 1_000_000
    states = [State(text=text, next="jumps", changes=_changes(n)) for n in range(60)]
    for state in states:
        traces.of(state)
        assert traces.held <= 1_000_000
    assert traces.held > 100_000


def test_what_was_forgotten_is_computed_again_to_the_same():
    small, large = Traces(Shelf(), most_bytes=300_000), Traces(Shelf())
    for count in (0, 5, 40, 3, 40, 0, 39):
        state = State(text="The quick brown fox", next="jumps", changes=_changes(count))
        found, expected = (traces.of(state).trace for traces in (small, large))
        assert found.json() == expected.json()
    assert small.held <= 300_000 < large.held


def test_a_further_change_costs_only_that_change(monkeypatch):
    made = []
    monkeypatch.setattr(module, "changed", lambda seen, change: made.append(change) or changed(seen, change))
    traces = Traces(Shelf())

    def cost(changes: list[dict]) -> int:
        made.clear()
        traces.of(State(text="The quick brown fox", next="jumps", changes=changes))
        return len(made)

    assert cost(_changes(7)) == 7
    assert cost(_changes(8)) == 1
    assert cost(_changes(5)) == 0, "undo"
    assert cost([*_changes(5), {"kind": "update", "times": 20}]) == 20
    assert cost([*_changes(5), {"kind": "update", "times": 23}]) == 3
    assert cost([*_changes(5), {"kind": "update", "times": 20}, *_changes(1)]) == 1
    assert cost([*_changes(5), {"kind": "update", "times": 20, "rate": 0.2}]) == 20, "another rate"


def _changes(count: int) -> list[dict]:
    return [{"kind": "edit", "cell": f"weights[fox,{n % 4}]", "value": 0.01 * n} for n in range(count)]
