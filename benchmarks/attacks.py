"""What one request, or many, can cost the server: its memory above the loaded model, and health beside it.

python benchmarks/attacks.py            all of them, a few minutes
python benchmarks/attacks.py moves      those whose name has this word

Every attack is made against one server, one after the other, so that what an attack leaves behind counts as well.
Health is asked for by a process of its own meanwhile. Exits with 1 if a bound does not hold.
"""

import json
import multiprocessing
import os
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "server"))
import conftest  # pyright: ignore[reportMissingImports]
from conftest import Running, ended, started  # pyright: ignore[reportMissingImports]
from recorded import record

MEMORY = 512 * 2**20  # bytes above the loaded model
HEALTH = 0.250  # seconds, 99 of 100
GIVEN = 8 * 2**30  # bytes that the server's process may have in all: an attack that succeeds ends it, not the machine
conftest.GUARD = 600  # seconds: here waiting is what is measured
WORDS = ("the", "little", "dog", "sat", "on", "the", "big", "red", "mat", "and", "looked", "at", "his", "friend")


def text(words: int) -> str:
    return " ".join(WORDS[n % len(WORDS)] for n in range(words))


def english(words: int, changes: list[dict[str, Any]] | None = None, **more: Any) -> dict[str, Any]:
    return {"model": "english", "text": text(words), "next": "dog", "changes": changes or [], **more}


def moves(many: int, words: int) -> list[dict[str, Any]]:
    half = words // 2
    cells = (f"layer0.weights[{n % 5},{words - 1 - n % half},{n % half}]" for n in range(many))
    return [{"kind": "move", "cell": cell, "value": 0.1} for cell in cells]


def edits(of_each_layer: int, words: int) -> list[dict[str, Any]]:
    places = [(layer, n) for n in range(of_each_layer) for layer in range(6)]
    half = words // 2
    cells = (f"layer{layer}.weights[{n % 5},{words - 1 - n % half},{n % half}]" for layer, n in places)
    return [{"kind": "edit", "cell": cell, "value": 0.1} for cell in cells]


# each attack yields what it was told


def a_long_text(server: Running) -> Iterator[Any]:
    yield server.post("/api/explain", **english(250))


def moves_in_a_long_text(server: Running) -> Iterator[Any]:
    for many in (500, 15, 120):
        yield server.post("/api/explain", **english(250, moves(many, 250)))


def moves_in_a_short_text(server: Running) -> Iterator[Any]:
    yield server.post("/api/explain", **english(40, moves(200, 40)))
    yield server.post("/api/explain", **english(40, moves(500, 40)))


def edits_in_each_layer(server: Running) -> Iterator[Any]:
    for words in (250, 100, 30):
        yield server.post("/api/explain", **english(words, edits(64, words)))


def updates_one_by_one(server: Running) -> Iterator[Any]:
    for times in range(1, 101):
        yield server.post("/api/explain", **english(6, [{"kind": "update", "rate": 1e-4, "times": times}]))


def words_without_end(server: Running) -> Iterator[Any]:
    for words, count in ((180, 64), (100, 20), (20, 64)):
        yield server.post("/api/generate", **english(words, count=count))
        yield server.post("/api/generate", **english(words, count=count, mask="both"))


def further_runs(server: Running) -> Iterator[Any]:
    for words in (250, 40):
        yield server.post("/api/values", **english(words, step="without"))


def bodies_full_of_mistakes(server: Running) -> Iterator[Any]:
    fox = '{"text":"The quick brown fox","next":"jumps",'
    wrong = ['"changes":[{"kind":"pin","step":"x","value":[' + '"a",' * 400_000 + "0]}]}"]
    wrong += ['"changes":[' + '{"kind":"no"},' * 120_000 + "{}]}", ",".join(f'"n{n}":0' for n in range(150_000)) + "}"]
    headers = {"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"}
    for part in wrong * 4:
        yield server.ask("POST", "/api/explain", headers=headers, body=(fox + part).encode())


def strangers(server: Running) -> Iterator[Any]:
    """Connections without a token: questions, bodies, WebSockets; some leave at once, some with a reset."""
    host = f"Host: {server.host}\r\n"
    upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    sent = [
        f"GET /api/models HTTP/1.1\r\n{host}\r\n",
        f"POST /api/explain HTTP/1.1\r\n{host}Content-Length: 100000\r\n\r\n" + "x" * 1000,
        f"GET /api/train HTTP/1.1\r\n{host}{upgrade}{key}\r\n",
        f"GET /api/train HTTP/1.1\r\n{host}{upgrade}\r\n",
        "nonsense\r\n\r\n",
    ]
    end, number = time.monotonic() + 10, 0
    while time.monotonic() < end:
        lines = []
        for _ in range(50):
            number += 1
            line = socket.create_connection(("127.0.0.1", server.port), timeout=10)
            if number % 2:  # closed by a reset
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
            line.sendall(sent[number % len(sent)].encode())
            lines.append(line)
        for line in lines:
            line.close()
    yield f"{number:,} connections"


def a_crowd_that_stays(server: Running) -> Iterator[Any]:
    """More connections than there are files for, none of which says anything."""
    lines, cut = [], 0
    for _ in range(3000):
        try:
            lines.append(socket.create_connection(("127.0.0.1", server.port), timeout=10))
        except OSError:
            cut += 1
    yield f"{len(lines):,} connections, {cut} refused"
    yield server.ask("GET", "/api/models")
    for line in lines:
        line.close()


def a_greedy_client(server: Running) -> Iterator[Any]:
    """Thirty long requests at once; how long does somebody else wait for a toy, and for english?"""
    greedy = [
        threading.Thread(target=server.post, args=("/api/explain",), kwargs=english(200 + n, rate=1e-3))
        for n in range(30)
    ]
    for thread in greedy:
        thread.start()
    time.sleep(0.5)
    other = {"Authorization": f"Bearer {server.token}", "User-Agent": "somebody else"}
    for asked in ({"text": "The quick brown fox", "next": "jumps"}, english(5)):
        start = time.perf_counter()
        status = server.ask("POST", "/api/explain", asked, headers=other).status
        waited = time.perf_counter() - start
        yield f"{status}: somebody else waited {waited:.1f} s for {asked.get('model', 'fox')}"
    start = time.perf_counter()
    for thread in greedy:
        thread.join()
    yield f"the greedy one another {time.perf_counter() - start:.0f} s"


ATTACKS: tuple[Callable[[Running], Iterator[Any]], ...] = (
    a_long_text, moves_in_a_long_text, moves_in_a_short_text, edits_in_each_layer, updates_one_by_one,
    words_without_end, further_runs, bodies_full_of_mistakes, strangers, a_crowd_that_stays, a_greedy_client,
)  # fmt: skip


@dataclass
class Watched:
    """What was seen of the server while it was attacked."""

    most: int = 0
    health: tuple[float, ...] = ()


def ask_for_health(server: Running, stop: Any, found: Any) -> None:
    server._kept = {}  # connections of its own
    took = []
    while not stop.is_set():
        start = time.perf_counter()
        assert server.ask("GET", "/api/health").status == 200
        took.append(time.perf_counter() - start)
        time.sleep(0.01)
    found.send(took)


def watched(server: Running, attack: Callable[[Running], Iterator[Any]]) -> tuple[Watched, list[str]]:
    fork = multiprocessing.get_context("fork")
    stop, (here, there) = fork.Event(), fork.Pipe()
    asking = fork.Process(target=ask_for_health, args=(server, stop, there))
    Path(f"/proc/{server.process.pid}/clear_refs").write_text("5")  # the high-water mark begins anew
    asking.start()
    try:
        told = [answer if isinstance(answer, str) else said(answer) for answer in attack(server)]
    finally:
        stop.set()
        took = here.recv()
        asking.join()
    return Watched(high_water(server), tuple(sorted(took))), told


def said(answer: Any) -> str:
    if answer.status == 200:
        return "200"
    return f"{answer.status}: {json.loads(answer.body)['error']['message'][:90]}"


def high_water(server: Running) -> int:
    """The most bytes that were resident since it was last reset."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return 1024 * next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))


def main() -> int:
    chosen = [attack for attack in ATTACKS if all(word in attack.__name__ for word in sys.argv[1:])]
    held, figures = True, list[str]()
    with tempfile.TemporaryDirectory() as folder:
        server = started(Path(folder))
        try:
            os_limit(server)
            server.post("/api/explain", model="english", text="Once", next="girl")
            server.post("/api/generate", model="english", text="Once", count=1)
            model = server.memory
            bounds = f"+{MEMORY / 2**20:.0f} MB, health p99 {1e3 * HEALTH:.0f} ms"
            print(f"{model / 2**20:.0f} MB with english loaded; bounds: {bounds}", flush=True)
            for attack in chosen:
                start = time.perf_counter()
                seen, told = watched(server, attack)
                seconds, above = time.perf_counter() - start, seen.most - model
                p99 = seen.health[int(0.99 * len(seen.health))]
                fits = above <= MEMORY and p99 <= HEALTH
                held = held and fits
                figures.append(f"{attack.__name__.replace('_', ' ')}: +{above / 2**20:.0f} MB, p99 {1e3 * p99:.0f} ms")
                print(
                    f"{attack.__name__.replace('_', ' '):26} {seconds:5.1f} s  peak +{above / 2**20:4.0f} MB  "
                    f"health p50 {1e3 * seen.health[len(seen.health) // 2]:4.0f}, p99 {1e3 * p99:4.0f} ms  "
                    f"{'' if fits else 'DOES NOT HOLD'}"
                )
                for line in dict.fromkeys(told):
                    print(f"    {told.count(line):3} × {line}", flush=True)
            rest = "".join(server.said).partition("Ctrl-C ends it.\n")[2]
            held = held and "Traceback" not in rest
            print(f"{rest.count('Traceback')} tracebacks, {len(rest.splitlines())} lines in the terminal")
            print(rest[-3000:], end="")
        finally:
            ended(server)
    if held and chosen == list(ATTACKS):
        record("benchmarks", "attacks", figure="; ".join(figures))
    return 0 if held else 1


def os_limit(server: Running) -> None:
    if hasattr(os, "sched_getaffinity"):  # Linux
        import resource

        resource.prlimit(server.process.pid, resource.RLIMIT_AS, (GIVEN, GIVEN))
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (1024, 1024))  # as many systems have it


if __name__ == "__main__":
    sys.exit(main())
