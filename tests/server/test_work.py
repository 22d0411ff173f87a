"""Heavy work: in few threads, in a short queue, and given up when nobody waits for it."""

import asyncio
import json
import socket
import threading
import time

import pytest

from regard.server.problem import Problem
from regard.server.work import Abandoned, Wanted, Work

ME = "somebody"


def test_work_of_one_kind_is_done_one_after_the_other():
    work, done, at_once = Work(threads=3, waiting=50), [], [0]

    def note(_: Wanted, number: int) -> int:
        at_once[0] += 1
        among = at_once[0]
        time.sleep(0.001 * (number % 3))
        done.append(number)
        at_once[0] -= 1
        return among

    async def all_of_it() -> set[int]:
        return set(await asyncio.gather(*(work.run(ME, "fox", note, n) for n in range(20))))

    assert asyncio.run(all_of_it()) == {1}
    assert done == list(range(20))
    work.close()


def test_clients_take_turns_however_much_one_of_them_asks_for():
    work, go, done = Work(threads=1, waiting=40), threading.Event(), []

    async def crowd() -> None:
        first = [
            asyncio.create_task(work.run("greedy", "deep", lambda wanted, n=n: go.wait(60) and done.append(n)))
            for n in range(20)
        ]
        await asyncio.sleep(0)
        modest = [
            asyncio.create_task(work.run(f"modest {n}", "deep", lambda wanted, n=n: done.append(f"modest {n}")))
            for n in range(2)
        ]
        await asyncio.sleep(0)
        go.set()
        await asyncio.gather(*first, *modest)

    asyncio.run(crowd())
    # the one that was begun, then one of each
    assert set(done[1:4]) == {1, "modest 0", "modest 1"}
    assert [n for n in done if isinstance(n, int)] == list(range(20))
    work.close()


def test_one_client_has_neither_all_threads_nor_all_places():
    work, go = Work(threads=3, waiting=8), threading.Event()

    async def crowd() -> None:
        greedy = [asyncio.create_task(work.run("greedy", f"kind {n}", lambda wanted: go.wait(600))) for n in range(20)]
        await asyncio.sleep(0.05)
        refused = [task for task in greedy if task.done()]
        assert len(refused) == 20 - (3 + 8 - 2)  # a quarter of the queue is for others
        assert all(isinstance(task.exception(), Problem) for task in refused)
        try:
            async with asyncio.timeout(30):
                assert await work.run("modest", "another kind", lambda wanted: "at once") == "at once"
        finally:
            go.set()
        await asyncio.gather(*greedy, return_exceptions=True)

    asyncio.run(crowd())
    work.close()


def test_an_end_that_lets_two_begin_wakes_a_thread_for_the_second():
    work, end, both = Work(threads=3, waiting=8), [threading.Event(), threading.Event()], threading.Barrier(2)

    def together(_: Wanted) -> int:
        return both.wait(30)  # breaks unless the other one is being done too

    async def crowd() -> None:
        begun = [asyncio.create_task(work.run(ME, f"kind {n}", lambda wanted, n=n: end[n].wait(60))) for n in range(2)]
        await asyncio.sleep(0.05)
        # one waits for the kind of work, the other for a thread of mine; the end of the first task is both
        waiting = [work.run("another", "kind 0", together), work.run(ME, "kind 2", together)]
        tasks = [asyncio.create_task(task) for task in waiting]
        await asyncio.sleep(0.05)
        end[0].set()
        try:
            await asyncio.gather(*tasks)
        finally:
            end[1].set()
        await asyncio.gather(*begun)

    asyncio.run(crowd())
    work.close()


def test_a_full_queue_is_said_at_once():
    work, go = Work(threads=1, waiting=2), threading.Event()

    async def crowd() -> list[object]:
        async def one() -> object:
            return await work.run(ME, "fox", lambda wanted: go.wait(60))

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


def test_a_client_with_its_answer_has_its_place_again():
    work = Work(threads=1, waiting=0)

    async def ask_again_and_again() -> list[int]:
        return [await work.run(ME, "fox", lambda wanted: 1) + work.pending for _ in range(2000)]

    assert set(asyncio.run(ask_again_and_again())) == {1}
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
        first = asyncio.create_task(work.run(ME, "fox", endless))
        second = asyncio.create_task(work.run(ME, "fox", lambda wanted: ended.append("never")))
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
