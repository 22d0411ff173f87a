"""Heavy work: in few threads, in a short queue, and given up when nobody waits for it."""

import asyncio
import json
import socket
import threading
import time

import pytest

from regard.server.problem import Problem
from regard.server.work import Abandoned, Wanted, Work


def test_work_of_one_model_is_done_by_one_thread_in_order():
    work, done = Work(threads=3, waiting=50), []

    def note(_: Wanted, number: int) -> str:
        time.sleep(0.001 * (number % 3))
        done.append(number)
        return threading.current_thread().name

    async def all_of_it() -> set[str]:
        return set(await asyncio.gather(*(work.run("fox", note, n) for n in range(20))))

    assert len(asyncio.run(all_of_it())) == 1
    assert done == list(range(20))
    work.close()


def test_a_full_queue_is_said_at_once():
    work, go = Work(threads=1, waiting=2), threading.Event()

    async def crowd() -> list[object]:
        async def one() -> object:
            return await work.run("fox", lambda wanted: go.wait(60))

        waiting = [asyncio.create_task(one()) for _ in range(3)]
        await asyncio.sleep(0.05)
        with pytest.raises(Problem) as busy:
            await one()
        assert (busy.value.status, busy.value.headers) == (503, {"retry-after": "1"})
        go.set()
        done = await asyncio.gather(*waiting)
        assert await one()
        return done

    assert asyncio.run(crowd()) == [True, True, True]
    assert work.pending == 0
    work.close()


def test_what_nobody_waits_for_is_given_up():
    work, began, ended = Work(threads=1, waiting=9), threading.Event(), []

    def endless(wanted: Wanted) -> None:
        began.set()
        try:
            while True:
                wanted()
                time.sleep(0.001)
        except Abandoned:
            ended.append("given up")
            raise

    async def leave() -> None:
        first = asyncio.create_task(work.run("fox", endless))
        second = asyncio.create_task(work.run("fox", lambda wanted: ended.append("never")))
        await asyncio.to_thread(began.wait, 60)
        first.cancel()
        second.cancel()
        await asyncio.gather(first, second, return_exceptions=True)
        async with asyncio.timeout(60):
            while work.pending:
                await asyncio.sleep(0.001)

    asyncio.run(leave())
    assert ended == ["given up"]
    work.close()


def test_a_long_request_is_given_up_when_its_client_leaves(server):
    """A thousand updates of a toy take many seconds; the client leaves at once."""
    words = " ".join(f"w{n}" for n in range(40))
    changes = [{"kind": "update", "rate": 1e-9, "times": 1000}]
    body = json.dumps({"model": "three-words", "text": words, "next": "fox", "changes": changes}).encode()
    head = (
        f"POST /api/explain HTTP/1.1\r\nHost: {server.host}\r\nAuthorization: Bearer {server.token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    lines = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(3)]
    for line in lines:
        line.sendall(head.encode() + body)
    pending = _until(lambda: server.ask("GET", "/api/health").data["pending"] == 3)
    assert pending
    for line in lines:
        line.close()
    _until(lambda: server.ask("GET", "/api/health").data["pending"] == 0)
    again = {"model": "three-words", "text": words, "next": "fox", "changes": changes}
    # it was not finished: had it been, the state would be there, and its beginning would answer at once
    answer = server.post("/api/explain", **{**again, "changes": [{**changes[0], "times": 2}]})
    assert answer.status == 200 and len(answer.data["timeline"]) == 3


def _until(condition) -> bool:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.005)
    pytest.fail("it did not happen")
