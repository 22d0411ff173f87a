"""How much load the local server holds: requests per second, streams, slow clients, bombs; and, on demand, a soak.

python benchmarks/server.py                 about a minute
python benchmarks/server.py --soak 10       ten minutes of mixed requests: growth of memory per hour, file handles

The peers' figures are those of the design notes (one shared core, lower bounds); they were not measured in this run.
Server and clients share this machine's cores, so these are lower bounds too.
"""

import argparse
import asyncio
import contextlib
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "server"))
from attacks import MEMORY, english, high_water, moves
from conftest import Running, ended, started  # pyright: ignore[reportMissingImports]
from recorded import record
from regard.session.limits import KEPT_RUNS

SECONDS = 5.0
CONNECTIONS = 8
WATCHERS, HERTZ = 150, 50
FOX = {"model": "fox", "text": "The quick brown fox", "next": "jumps"}
# 64 words of one head are 4,096 weights, as many as 4 heads × 32 × 32
LONG = {"model": "fox", "text": " ".join(f"w{n}" for n in range(64)), "step": "weights"}
EDITED = {
    **FOX,
    "cell": "probabilities[jumps]",
    "changes": [{"kind": "edit", "cell": "weights[fox,fox]", "value": 0.2}],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--soak", type=float, default=0.0, metavar="MINUTES")
    parser.add_argument("--client", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.client:
        client(*arguments.client)
        return
    with tempfile.TemporaryDirectory() as folder:
        server = started(Path(folder))
        try:
            if arguments.soak:
                soak(server, 60 * arguments.soak)
            else:
                rows(server)
        finally:
            ended(server)


def rows(server: Running) -> None:
    print(f"{'load':46}{'held here':>44}   peers (from the design notes)")
    small = requests(server, "GET", "/api/health", None)
    row("small JSON (health)", small, "Starlette 10,457/s; Jupyter 1,120-1,655/s")
    weights = requests(server, "POST", "/api/values", LONG)
    row("4,096 weights (as many as 4×32×32)", weights, "942/s; TensorBoard scalars 231/s")
    row("why, of an edited run", requests(server, "POST", "/api/why", EDITED), "")
    before = core_seconds(server)
    latencies, received, sent = fan_out(server)
    each = (core_seconds(server) - before) / received
    row(
        f"WebSocket, {WATCHERS} clients at {HERTZ} Hz",
        f"p50 {1e3 * quantile(latencies, 0.5):.1f} ms, p99 {1e3 * quantile(latencies, 0.99):.1f} ms",
        "p99 14.5 ms",
    )
    row("  reports received of those due", f"{received:,} of {sent:,}, {1e6 * each:.0f} µs of a core each", "")
    calm = health(server, 300)
    slow = under_slow_clients(server)
    row("health, calm", f"p50 {1e3 * quantile(calm, 0.5):.1f} ms, p99 {1e3 * quantile(calm, 0.99):.1f} ms", "")
    row(
        "health, 200 slow and broken clients",
        f"p50 {1e3 * quantile(slow, 0.5):.1f} ms, p99 {1e3 * quantile(slow, 0.99):.1f} ms",
        "goal p99 < 250 ms",
    )
    busy = under_heavy_work(server)
    row(
        "health, while english is explained",
        f"p50 {1e3 * quantile(busy, 0.5):.1f} ms, p99 {1e3 * quantile(busy, 0.99):.1f} ms",
        "goal p99 < 250 ms",
    )
    bombs, slowest = bombs_refused(server)
    row("bombs refused", f"{bombs}, slowest {1e3 * slowest:.0f} ms", "goal 413/422 in < 100 ms")


def row(load: str, held: str, peer: str) -> None:
    record("benchmarks", load.strip(), figure=held)
    print(f"{load:46}{held:>44}   {peer}", flush=True)


def quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


# requests per second: a client process with a few connections, each asking again as soon as it was answered


def requests(server: Running, method: str, path: str, data: Any) -> str:
    """What was held, and what each request took of a core: the second does not depend on who else uses the machine."""
    body = json.dumps(data) if data is not None else ""
    before = core_seconds(server)
    answered, seconds = json.loads(_client("ask", server, method, path, body))
    each = (core_seconds(server) - before) / answered
    return f"{answered / seconds:,.0f} requests/s, {1e3 * each:.2f} ms of a core each"


def core_seconds(server: Running) -> float:
    """What the server's process has computed so far."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def ask(port: int, token: str, method: str, path: str, body: str) -> tuple[int, float]:
    content = body.encode()
    request = (
        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    ).encode() + content
    end, answered = time.perf_counter() + SECONDS, 0

    async def one() -> None:
        nonlocal answered
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while time.perf_counter() < end:
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200"), head
            length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
            await reader.readexactly(length)
            answered += 1
        writer.close()

    began = time.perf_counter()
    await asyncio.gather(*(one() for _ in range(CONNECTIONS)))
    return answered, time.perf_counter() - began


# fan-out: a run's file is written at 50 Hz, each line with its time; clients note when it arrives


def fan_out(server: Running) -> tuple[list[float], int, int]:
    run = server.folder / "runs" / "fan-out"
    run.mkdir(parents=True)
    losses = run / "losses.jsonl"
    losses.write_text("")
    many = int(SECONDS * HERTZ)
    watching = _started_client("watch", server, str(many))
    assert watching.stdout is not None
    watching.stdout.readline()  # all are connected
    with losses.open("a") as file:
        began = time.monotonic()
        for update in range(1, many + 1):
            file.write(json.dumps({"update": update, "loss": time.monotonic()}) + "\n")
            file.flush()
            time.sleep(max(0.0, began + update / HERTZ - time.monotonic()))
    output, _ = watching.communicate(timeout=120)
    latencies = json.loads(output)
    return latencies, len(latencies), many * WATCHERS


async def watch(port: int, token: str, many: int) -> list[float]:
    from websockets.asyncio.client import connect

    ready = 0

    async def one() -> list[float]:
        nonlocal ready
        found: list[float] = []
        headers = {"Authorization": f"Bearer {token}"}
        async with connect(
            f"ws://127.0.0.1:{port}/api/train", additional_headers=headers, compression=None, open_timeout=60
        ) as line:
            await line.send('{"kind":"watch","name":"fan-out"}')
            await line.recv()
            ready += 1
            if ready == WATCHERS:
                print("ready", flush=True)
            async with asyncio.timeout(4 * SECONDS + 30):
                while True:
                    for message in json.loads(await line.recv()):
                        if message["kind"] == "report":
                            found.append(time.monotonic() - message["loss"])
                            if message["update"] == many:
                                return found

    results = await asyncio.gather(*(one() for _ in range(WATCHERS)))
    return [latency for found in results for latency in found]


# health beside others


def health(server: Running, many: int) -> list[float]:
    found = []
    for _ in range(many):
        start = time.perf_counter()
        assert server.ask("GET", "/api/health").status == 200
        found.append(time.perf_counter() - start)
        time.sleep(0.002)
    return found


def under_slow_clients(server: Running) -> list[float]:
    head = f"POST /api/explain HTTP/1.1\r\nHost: {server.host}\r\nAuthorization: Bearer {server.token}\r\n".encode()
    beginnings = [
        head[:40],
        head + b"Content-Length: 1000\r\n\r\n{",
        b"\x16\x03\x01" * 30,
        b"GET / HTTP/1.1\r\nX: " + b"a" * 70_000,
    ]
    lines = []
    stop = threading.Event()

    def drip() -> None:
        """One byte now and then to every one of them, and a new one for each that was cut."""
        while not stop.is_set():
            for number, line in enumerate(lines):
                try:
                    line.send(b"a")
                except OSError:
                    lines[number] = _opened(server, beginnings[number % 4])
            time.sleep(0.05)

    for number in range(200):
        lines.append(_opened(server, beginnings[number % 4]))
    dripping = threading.Thread(target=drip)
    dripping.start()
    try:
        return health(server, 500)
    finally:
        stop.set()
        dripping.join()
        for line in lines:
            line.close()


def _opened(server: Running, beginning: bytes) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", server.port), timeout=10)
    with contextlib.suppress(OSError):
        line.sendall(beginning)
    return line


def under_heavy_work(server: Running) -> list[float]:
    stop, explained = threading.Event(), list[str]()

    def explain() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            text = f"Once upon a time there was a little {'very ' * (number % 20)}"
            assert server.post("/api/explain", model="english", text=text, next="girl").status == 200
            explained.append(text)

    working = threading.Thread(target=explain)
    working.start()
    try:
        while not explained:  # english is loaded
            time.sleep(0.1)
        return health(server, 500)
    finally:
        stop.set()
        working.join()
        assert len(explained) > 1


def bombs_refused(server: Running) -> tuple[str, float]:
    from test_limits import BOMBS  # pyright: ignore[reportMissingImports]

    server.post("/api/explain", model="english", text="Once", next="girl")  # loaded once, before the clock runs
    took = []
    headers = {"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"}
    for endpoint, body in BOMBS.values():
        start = time.perf_counter()
        answer = server.ask("POST", f"/api/{endpoint}", headers=headers, body=body.encode("utf-8", "surrogatepass"))
        took.append(time.perf_counter() - start)
        assert answer.status in (400, 413, 422)
    return f"{len(took)} of {len(BOMBS)}", max(took)


# soak


def soak(server: Running, seconds: float) -> None:
    """Mixed requests, edits and watchers; what counts is the second half, when models are loaded and all was done."""
    from fuzz import Fuzz  # pyright: ignore[reportMissingImports]

    server.post("/api/explain", model="english", text="Once", next="girl")
    loaded = server.memory
    fuzz = Fuzz(server.ask("GET", "/api/openapi.json").data, seed=5)
    (server.folder / "runs/soak").mkdir(parents=True)
    (server.folder / "runs/soak/losses.jsonl").write_text('{"update": 1, "loss": 1.0}\n')
    began, number = time.monotonic(), 0
    noted: list[tuple[float, int, int]] = []
    while time.monotonic() - began < seconds:
        number += 1
        method, path, headers, body = fuzz.request()
        given = {"Authorization": f"Bearer {server.token}", **headers}
        assert server.ask(method, path, headers=given, body=body).status < 500
        if number % 20 == 0:
            server.post("/api/explain", **FOX, changes=[{"kind": "edit", "cell": "x[0,0]", "value": number % 977}])
        if number % 100 == 0:
            with server.watch() as line:
                line.send('{"kind":"watch","name":"soak"}')
                line.recv(60)
        if number % 500 == 250:  # one that costs as much as one may; what it leaves behind counts
            assert server.post("/api/explain", **english(120, moves(40, 120))).status == 200
        if number % 500 == 0:
            noted.append((time.monotonic() - began, at_rest(server), server.handles))
    settled = [n for n in noted if n[0] > seconds / 2]
    slope, _ = statistics.linear_regression([t for t, _, _ in settled], [m for _, m, _ in settled])
    print(f"{number:,} requests in {seconds / 60:.0f} minutes")
    curve = noted[:: max(1, len(noted) // 20)]
    print("memory at rest in MB, minute by minute: " + ", ".join(f"{t / 60:.0f}: {m / 2**20:.1f}" for t, m, _ in curve))
    growth = f"{3600 * slope / 2**20:+.2f} MB per hour"
    handles = f"{min(h for *_, h in settled)} to {max(h for *_, h in settled)}"
    print(f"growth over the second half: {growth}   (goal < 1)")
    print(f"file handles over the second half: {handles}")
    above = (high_water(server) - loaded) / 2**20
    print(f"memory at its most: {above:.0f} MB above english   (goal ≤ {MEMORY / 2**20:.0f})")
    held = f"{seconds / 60:.0f} minutes, {number:,} requests: {growth}, file handles {handles}, at most +{above:.0f} MB"
    record("benchmarks", "soak", figure=held)


def at_rest(server: Running) -> int:
    """Own bytes once the same is kept as at every other time: what grows beyond that was left behind.

    Between two requests the caches hold 100 to 200 MB more or less, by chance: a slope through those would say nothing.
    """
    for number in range(KEPT_RUNS + 1):
        server.post("/api/explain", model="fox", text=f"fox {number}")
    for _ in range(2):  # the second begins when what is free since then was given back, which follows such work
        server.ask("GET", "/api/vocabulary?model=english")
    return server.own_memory


# clients are processes of their own, so that they do not take turns with the rows


def _started_client(kind: str, server: Running, *arguments: str) -> "subprocess.Popen[str]":
    command = [sys.executable, __file__, "--client", kind, str(server.port), server.token, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def _client(kind: str, server: Running, *arguments: str) -> str:
    output, _ = _started_client(kind, server, *arguments).communicate(timeout=120)
    return output


def client(kind: str, port: str, token: str, *arguments: str) -> None:
    if kind == "ask":
        print(json.dumps(asyncio.run(ask(int(port), token, *arguments))))
    else:
        print(json.dumps(asyncio.run(watch(int(port), token, int(arguments[0])))))


if __name__ == "__main__":
    main()
