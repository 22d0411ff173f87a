"""The map of a long text is drawn while something else of the same run is measured, which may take a minute."""

import asyncio
import json
import threading

import pytest
from fastapi import Request
from fastapi.responses import Response

from regard.server.application import AboutAState
from regard.server.work import Work
from regard.session import limits
from regard.session.answering import QUESTIONS
from regard.session.shelf import DEEP, Shelf
from regard.session.state import State
from regard.session.traces import Traces

GUARD = 60  # seconds after which something hangs
ASKED = {"model": "english", "text": "the cat sat on the mat and the dog ran to the house ."}
TILE = {**ASKED, "layer": 1, "head": 2, "rows": [0, 8], "keys": [2, 6], "height": 4, "width": 4}


@pytest.fixture
def traces(monkeypatch) -> Traces:
    """Of a text that counts as long: its weights are not among the steps."""
    monkeypatch.setattr(limits, "RUN_WEIGHTS", 100)
    traces = Traces(Shelf())
    traces.of(State.model_validate(ASKED))
    return traces


def request_of(data: dict) -> Request:
    async def body() -> dict:
        return {"type": "http.request", "body": json.dumps(data).encode(), "more_body": False}

    return Request({"type": "http", "headers": [(b"content-type", b"application/json")]}, body)


def test_a_map_is_drawn_while_the_run_is_measured(traces):
    work, begun, over = Work(), threading.Event(), threading.Event()
    kind, answer = QUESTIONS["tile"]
    route = AboutAState("/api/tile", work, traces, kind, answer, Response)

    async def both() -> bytes:
        measured = asyncio.create_task(work.run("me", DEEP, lambda wanted: (begun.set(), over.wait(GUARD))))
        await asyncio.to_thread(begun.wait, GUARD)
        drawn = await asyncio.wait_for(route.answered(request_of(TILE)), GUARD / 4)
        assert not measured.done()
        over.set()
        await measured
        return bytes(drawn.body)

    try:
        drawn = json.loads(asyncio.run(both()))
    finally:
        over.set()
        work.close()
    weights = traces.of(State.model_validate(ASKED)).weights_of(1)[2].tile((0, 8), (2, 6))
    assert drawn["max"] == pytest.approx(weights.reshape(4, 2, 4).max(1).ravel())
    assert drawn["mean"] == pytest.approx(weights.reshape(4, 2, 4).mean(1).ravel())


def test_only_a_long_text_that_has_been_read_is_drawn_beside_other_work(traces):
    assert traces.is_read(State.model_validate(ASKED))
    assert not traces.is_read(State.model_validate({**ASKED, "text": "another text"}))
    assert not traces.is_read(State(text="The quick brown fox"))


def test_the_maps_of_a_run_that_does_not_fit_are_drawn_without_running_it_again(monkeypatch):
    monkeypatch.setattr(limits, "RUN_WEIGHTS", 100)
    traces, state = Traces(Shelf(), most_bytes=0), State.model_validate(ASKED)
    weights = traces.of(state).weights
    assert traces.held == 0  # nothing of the run was kept
    found = traces.long_weights(state)
    assert found is not None and all(one is other for one, other in zip(found, weights, strict=True))
    traces.of(State.model_validate({**ASKED, "text": "the dog ran to the house and sat ."}))
    assert traces.long_weights(state) is None  # of one long text alone
    monkeypatch.setattr(limits, "LONG", 0)
    traces.of(state)
    assert traces.long_weights(state) is None  # and of none that is too large for that
