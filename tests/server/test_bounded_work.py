"""One client cannot use up the server: what it asks for is checked cheaply, and given up when it leaves."""

import asyncio
import json
import socket
import threading

import pytest

import regard.session.traces as traces_module
from regard.server import limits
from regard.server.application import routes
from regard.server.checking import question
from regard.server.gate import _while_wanted
from regard.server.problem import Problem
from regard.server.serving import Connection, Sweeper
from regard.session.questions import ExplainQuestion
from regard.session.shelf import Shelf
from regard.session.traces import changed

FOX = {"text": "The quick brown fox", "next": "jumps"}
UPDATES = 1000


def test_work_for_a_client_that_left_does_not_finish(monkeypatch):
    """A thousand updates are asked for; after the third the client leaves, and the rest is never made."""
    made, left = [], threading.Event()

    def noted(seen, change):
        made.append(change)
        if len(made) == 3:
            left.wait(60)
        return changed(seen, change)

    monkeypatch.setattr(traces_module, "changed", noted)
    app = routes(Shelf(), {})
    body = json.dumps({**FOX, "changes": [{"kind": "update", "rate": 1e-9, "times": UPDATES}]}).encode()
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "path": "/api/explain",
        "raw_path": b"/api/explain", "query_string": b"", "root_path": "", "scheme": "http",
        "headers": [(b"content-type", b"application/json")], "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 2),
    }  # fmt: skip
    sent = []

    async def ask() -> None:
        async def receive():
            while len(made) < 3:
                await asyncio.sleep(0.001)
            return {"type": "http.disconnect"}

        async def send(message):
            sent.append(message)

        async with asyncio.timeout(60):
            await _while_wanted(app, scope, body, receive, send)
            left.set()
            while app.state.work.pending:
                await asyncio.sleep(0.001)

    asyncio.run(ask())
    assert not sent
    assert len(made) <= 4 < UPDATES
    app.state.work.close()


MISTAKES = {
    "a pin of words": '"changes":[{"kind":"pin","step":"x","value":[' + '"a",' * 400_000 + "0]}]}",
    "as many words as a pin has numbers": '"changes":[{"kind":"pin","step":"x","value":[' + '"a",' * 65_000 + "0]}]}",
    "changes of no kind": '"changes":[' + "[]," * 500_000 + "{}]}",
    "names that nobody knows": ",".join(f'"n{n}":0' for n in range(150_000)) + "}",
    "objects for numbers": '"changes":[{"kind":"pin","step":"x","value":[' + "{}," * 500_000 + "0]}]}",
}


@pytest.mark.parametrize("mistakes", MISTAKES)
def test_checking_ends_at_the_first_mistake(mistakes):
    body = ('{"text":"The quick brown fox",' + MISTAKES[mistakes]).encode()
    assert limits.CHECKED_AT_ONCE < len(body) <= limits.BODY
    with pytest.raises(Problem) as refused:
        question(ExplainQuestion, body)
    assert refused.value.status in (413, 422)
    assert "more)" not in refused.value.message, "it went on looking"


def test_large_bodies_are_checked_in_a_thread_and_small_ones_at_once(monkeypatch):
    import regard.server.checking as module

    where = []
    monkeypatch.setattr(module, "question", lambda kind, body: where.append(threading.current_thread()))

    async def both() -> None:
        await module.checked(ExplainQuestion, b"{}", "application/json")
        await module.checked(ExplainQuestion, b" " * (limits.CHECKED_AT_ONCE + 1), "application/json")

    asyncio.run(both())
    assert where[0] is threading.main_thread() is not where[1]


def test_whoever_sends_something_else_than_json_is_told(server):
    headers = {"Authorization": f"Bearer {server.token}", "Content-Type": "text/plain"}
    answer = server.ask("POST", "/api/explain", headers=headers, body=json.dumps(FOX).encode())
    assert answer.status == 422 and "application/json" in answer.data["error"]["message"]


def test_a_crowd_at_the_door_leaves_room_for_others_and_no_traceback(server):
    """More connections than may be open, none of which says anything; the terminal stays silent (conftest)."""
    lines: list[socket.socket] = []
    try:
        for _ in range(limits.CONNECTIONS + 150):
            lines.append(socket.create_connection(("127.0.0.1", server.port), timeout=60))
        assert server.ask("GET", "/api/models").status == 200
        assert server.handles < 1024, "as many files as a process may open on most systems"
        lines[0].settimeout(60)
        assert lines[0].recv(1) == b"", "who has been silent longest goes"
    finally:
        for line in lines:
            line.close()
    assert "Traceback" not in "".join(server.said)


def test_a_connection_is_counted_when_it_begins(monkeypatch):
    monkeypatch.setattr(Connection.__base__, "connection_made", lambda *_: None)
    came, connection = [], Connection.__new__(Connection)
    connection.sweeper = type("Sweeper", (), {"came": staticmethod(came.append)})()
    connection.connection_made(None)  # pyright: ignore[reportArgumentType]
    assert came == [connection]


def test_the_one_that_never_spoke_goes_before_one_that_waits_between_two_questions(monkeypatch):
    monkeypatch.setattr(limits, "CONNECTIONS", 2)
    cut = []

    class Fake(Connection):
        def __init__(self, name, number, cycle):
            self.name, self.number, self.cycle = name, number, cycle
            self.transport = self  # pyright: ignore[reportAttributeAccessIssue]

        def is_closing(self):
            return self.name in cut

        def abort(self):
            cut.append(self.name)

    done = type("Cycle", (), {"response_complete": True})()
    busy = type("Cycle", (), {"response_complete": False})()
    people = [Fake("busy", 0, busy), Fake("asked before", 1, done), Fake("silent", 2, None), Fake("new", 3, None)]
    sweeper = Sweeper(type("State", (), {"connections": set(people)})())
    for _ in range(4):
        sweeper.came(people[-1])
    assert cut == ["silent", "new"]
