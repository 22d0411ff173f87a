"""Training as it happens: nothing lost for those who listen, gaps shown to those who stall, and no life shared."""

import asyncio
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from regard.server.live import Live
from regard.server.tail import REMEMBERED, Tail, history
from regard.server.trainers import Trainers
from regard.server.work import Work
from regard.session.shelf import Shelf
from regard.training.lock import holder

from .conftest import GUARD, ended, started, until

TEXT = "The quick brown fox jumps over the lazy dog. " * 400


def line(update: int, **more: float) -> str:
    return json.dumps({"update": update, "loss": 5.0 / update, "rate": 0.001, "gradient": 1.5, **more}) + "\n"


@pytest.fixture
def run(server, request) -> Path:
    """The folder of a run, without a trainer: the test writes its losses."""
    folder = server.folder / "runs" / request.node.name.replace("test_", "").replace("_", "-")[:40]
    folder.mkdir(parents=True)
    return folder


def write(folder: Path, first: int, last: int) -> None:
    with (folder / "losses.jsonl").open("a") as file:
        file.write("".join(line(update) for update in range(first, last + 1)))


class Watching:
    """A client that takes every message apart."""

    def __init__(self, socket, **asked):
        self.socket, self.messages = socket, []
        socket.send(json.dumps({"kind": "watch", **asked}))

    def next(self, *kinds: str) -> dict:
        """The next message of one of these kinds; all others are skipped."""
        end = time.monotonic() + GUARD
        while time.monotonic() < end:
            while self.messages:
                message = self.messages.pop(0)
                if message["kind"] in kinds:
                    return message
            self.messages = json.loads(self.socket.recv(GUARD))
        pytest.fail(f"no message of the kind {kinds} came")

    def reach(self, update: int) -> None:
        while self.next("report", "gap").get("update") != update:
            pass


def test_reports_come_in_order_and_none_is_lost(server, run):
    write(run, 1, 50)
    with server.watch() as socket:
        watching = Watching(socket, name=run.name)
        past = watching.next("history")
        assert [r["update"] for r in past["reports"]] == list(range(1, 51)) and past["of"] == 50
        write(run, 51, 1500)
        with (run / "losses.jsonl").open("a") as file:
            whole = line(1501, held_out=2.5)
            file.write(whole[:20])  # half a line, as a reader may find it
            file.flush()
            time.sleep(0.1)
            file.write(whole[20:])
        updates = []
        while len(updates) < 1451:
            message = watching.next("report", "gap")
            assert message["kind"] == "report"
            updates.append(message["update"])
        assert updates == list(range(51, 1502)) and message["held_out"] == 2.5
    with server.watch() as socket:  # the stream goes on where it was left
        past = Watching(socket, name=run.name, **{"from": 1400}).next("history")
        assert [r["update"] for r in past["reports"]] == list(range(1400, 1502))
        assert past["held_out"] == [{"update": 1501, "loss": 2.5}]


def test_a_run_taken_back_to_a_checkpoint_is_told_from_its_beginning(server, run):
    write(run, 1, 100)
    with server.watch() as socket:
        watching = Watching(socket, name=run.name)
        assert watching.next("history")["of"] == 100
        (run / ".new").write_text("".join(line(u) for u in range(1, 61)))
        os.replace(run / ".new", run / "losses.jsonl")
        watching.next("anew")
        assert watching.next("history")["of"] == 60
        write(run, 61, 62)
        assert [watching.next("report")["update"] for _ in range(2)] == [61, 62]


def test_long_histories_are_thinned(tmp_path):
    write(tmp_path, 1, 7001)
    found = history(tmp_path, 0, 7001)
    assert len(found["reports"]) <= 1001 and found["of"] == 7001
    assert found["reports"][0]["update"] == 1 and found["reports"][-1]["update"] == 7001
    assert history(tmp_path / "nothing", 0, 10)["reports"] == []


def test_lines_that_are_none_are_passed_over(tmp_path):
    tail = Tail(tmp_path)
    (tmp_path / "losses.jsonl").write_text("")
    tail.read()
    odd = ["{", "[1]", "null", '{"update":"1"}', '{"update":-1}', '{"loss":1}', "[" * 3000, '{"update":1e400}', "\x00"]
    with (tmp_path / "losses.jsonl").open("a") as file:
        file.write("\n".join([*odd, "x" * 10_000, '{"update": 5, "loss": NaN, "gradient": true, "rate": 1e999}', ""]))
    assert tail.read()
    news = tail.since(0, 0, 100)
    assert [json.loads(m.text) for m in news.messages] == [
        {"kind": "report", "update": 5, "loss": None, "rate": None, "gradient": None}
    ]


def test_a_watcher_that_falls_behind_is_told_what_it_missed(tmp_path):
    tail = Tail(tmp_path)
    (tmp_path / "losses.jsonl").write_text("")
    tail.read()
    write(tmp_path, 1, REMEMBERED + 500)
    while tail.read():
        pass
    news = tail.since(0, 0, 10)
    assert news.missed == (1, 500)
    assert [m.update for m in news.messages] == list(range(501, 511))
    again = tail.since(news.end, 510, 10)
    assert again.missed is None and again.messages[0].update == 511
    assert tail.since(tail.end, REMEMBERED + 500, 10).messages == ()


class Stalled:
    """A WebSocket client that asks and then reads nothing, until it is told to."""

    def __init__(self, server, name: str):
        self.line = socket.socket()
        self.line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.line.settimeout(GUARD)
        self.line.connect(("127.0.0.1", server.port))
        self.line.sendall(
            f"GET /api/train HTTP/1.1\r\nHost: {server.host}\r\nAuthorization: Bearer {server.token}\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        assert self.line.recv(12) == b"HTTP/1.1 101"
        asked = json.dumps({"kind": "watch", "name": name}).encode()
        self.line.sendall(bytes([0x81, 0x80 | len(asked), 0, 0, 0, 0]) + asked)  # a mask of zeros changes nothing

    def messages(self):
        """What was sent, message by message."""
        file = self.line.makefile("rb")
        while file.readline() != b"\r\n":
            pass
        while True:
            head = file.read(2)
            length = head[1] & 127
            if length == 126:
                length = struct.unpack("!H", file.read(2))[0]
            elif length == 127:
                length = struct.unpack("!Q", file.read(8))[0]
            body = file.read(length)
            if head[0] & 15 == 1:
                yield from json.loads(body)


def test_clients_that_stall_cost_little_and_see_their_gap(server, run, figure):
    """Thirty clients read nothing while a hundred thousand reports are written."""
    write(run, 1, 1)
    stalled = [Stalled(server, run.name) for _ in range(30)]
    try:
        time.sleep(0.5)
        with server.watch() as socket:
            watching = Watching(socket, name=run.name)
            watching.next("history")
            write(run, 2, 3000)
            watching.reach(3000)
            before = server.memory
            for first in range(3001, 100_001, 1000):
                write(run, first, first + 999)
                time.sleep(0.03)
            watching.reach(100_000)
            more = server.memory - before
            assert more <= 5 * 2**20
            figure(megabytes=more / 2**20)
        seen = 0
        gaps = []
        for message in stalled[0].messages():
            if message["kind"] == "gap":
                assert message["from"] == seen + 1
                gaps.append((message["from"], message["to"]))
                seen = message["to"]
            elif message["kind"] == "report":
                assert message["update"] == seen + 1  # nothing is missing that is not said to be
                seen = message["update"]
            elif message["kind"] == "history":
                seen = message["reports"][-1]["update"]
            if seen == 100_000:
                break
        assert gaps and sum(b - a + 1 for a, b in gaps) > 50_000
    finally:
        for client in stalled:
            client.line.close()
    assert server.ask("GET", "/api/health").status == 200


ASKED = [
    "", "{", "null", "[]", "1", '{"kind":"start"}', '{"kind":"exec"}', '{"kind":"watch","name":"../.."}',
    '{"kind":"watch","name":"/etc"}', '{"kind":"watch","name":"nothing-here"}', '{"kind":"watch","name":"x","from":-1}',
    '{"kind":"start","name":"a b","text":"x"}', '{"kind":"start","name":"x","text":""}',
    '{"kind":"start","name":"x","text":"y","preset":"gpt2"}',
    '{"kind":"start","name":"x","text":"y","settings":{"--out":1}}',
    '{"kind":"start","name":"x","text":"y","settings":{"rate":NaN}}',
    '{"kind":"start","name":"x","text":"y","settings":{"optimiser":"a b; rm -rf"}}', "\ud800", "[" * 100_000,
]  # fmt: skip


def test_a_watcher_that_leaves_at_once_takes_the_reader_of_its_file_along(tmp_path):
    """Also while that still asks for the newest checkpoint: otherwise it would read 200 times a second for ever."""
    asked, answered, work = threading.Event(), threading.Event(), Work(threads=1)

    class Slow(Shelf):
        def version(self, name: str) -> str:
            asked.set()
            assert answered.wait(GUARD)
            return ""

    async def left() -> set[str]:
        live = Live(Trainers(tmp_path), Slow(tmp_path), work)
        before = asyncio.all_tasks()
        async with live._tail("a"):
            await asyncio.to_thread(asked.wait, GUARD)
        answered.set()
        while any("_follow" in str(task) for task in asyncio.all_tasks()):
            await asyncio.sleep(0)
        await asyncio.sleep(0)  # what was cancelled has its turn
        return {str(task.get_coro()) for task in asyncio.all_tasks() - before}

    try:
        assert asyncio.run(left()) == set()
    finally:
        answered.set()
        work.close()


def test_messages_that_make_no_sense_are_refused_and_the_talk_goes_on(server):
    with server.watch() as socket:
        for asked in ASKED:
            socket.send(asked.encode("utf-8", "replace").decode())
            (answer,) = json.loads(socket.recv(GUARD))
            assert answer["kind"] == "problem" and answer["error"]["kind"] in ("invalid", "not_found")
        socket.send(b"bytes")
        assert json.loads(socket.recv(GUARD))[0]["error"]["kind"] == "invalid"
        socket.send('{"kind":"stop"}')  # of nothing
        socket.send('{"kind":"watch","name":"nothing-here"}')
        assert json.loads(socket.recv(GUARD))[0]["error"]["kind"] == "not_found"
    assert not (server.folder / "runs/x").exists()


QUICK = {"updates": 100_000, "width": 16, "layers": 1, "heads": 1, "batch": 2, "window": 8, "save_every": 20}


@pytest.fixture
def notes(tmp_path):
    """The folder of a run that is trained for real; no trainer is left behind."""
    folder = tmp_path / "runs/notes"
    yield folder
    if (process := holder(folder)) is not None:
        os.kill(process, signal.SIGKILL)


def test_server_and_trainer_live_and_die_apart(tmp_path, notes):
    """Start training over the WebSocket; kill -9 the server, then the trainer. Each time, the other does not notice."""
    first = started(tmp_path)
    with first.watch() as socket:
        socket.send(json.dumps({"kind": "start", "name": "notes", "text": TEXT, "settings": QUICK}))
        watching = Watching(socket, name="notes")
        before = watching.next("report")["update"]
        socket.send(json.dumps({"kind": "start", "name": "notes", "text": TEXT}))
        assert watching.next("problem")["error"]["kind"] == "in_use"
        assert "quick brown fox" in watching.next("sample")["text"]
        first.process.kill()
        first.process.wait(GUARD)
    ended(first)
    trainer = holder(notes)
    assert trainer is not None and os.getsid(trainer) == trainer, "in a session of its own"
    size = (notes / "losses.jsonl").stat().st_size
    until(lambda: (notes / "losses.jsonl").stat().st_size > size)
    second = started(tmp_path)
    stop = f"runs/notes is being trained by process {trainer}; stop it with: regard train --stop runs/notes"
    assert f"{stop}\n" in second.said, "a trainer that has outlived its server is announced"
    try:
        with second.watch() as socket:
            watching = Watching(socket, name="notes", **{"from": before})
            past = watching.next("history")
            assert past["reports"][0]["update"] == before
            assert watching.next("report")["update"] == past["reports"][-1]["update"] + 1
            assert "runs/notes" in {m["name"] for m in second.ask("GET", "/api/models").data}
            answer = second.post("/api/explain", model="runs/notes", text="The fox")
            assert answer.status == 200 and answer.data["state"]["model"] == "runs/notes"
            assert str(tmp_path) not in answer.body.decode()
            os.kill(trainer, signal.SIGKILL)
            assert watching.next("ended")["update"] > before
            assert second.ask("GET", "/api/health").status == 200
            write(notes, 10**6, 10**6)  # whoever goes on with it is followed again
            watching.reach(10**6)
    finally:
        assert ended(second) == 0


def test_a_trainer_saves_and_stops_when_asked(tmp_path, notes):
    running = started(tmp_path)
    try:
        with running.watch() as socket:
            socket.send(json.dumps({"kind": "start", "name": "notes", "text": TEXT, "settings": QUICK}))
            watching = Watching(socket, name="notes")
            watching.next("report")
            socket.send(json.dumps({"kind": "stop"}))
            assert watching.next("ended")["update"] > 0
            until(lambda: holder(notes) is None)
            assert len(list((notes / "checkpoints").iterdir())) >= 2
            assert not any("is being trained" in said for said in running.said)
            wrong = {"heads": 3, "width": 16}
            socket.send(json.dumps({"kind": "start", "name": "wrong", "text": TEXT, "settings": wrong}))
            said = Watching(socket, name="wrong").next("ended")["message"]
            assert said.startswith("regard: ") and "3 heads" in said
            socket.send(json.dumps({"kind": "start", "name": "wrong", "text": TEXT, "settings": wrong}))
            assert Watching(socket, name="wrong").next("begun")["name"] == "wrong-2", "its folder is there already"
    finally:
        assert ended(running) == 0


def regard_train(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "regard", "train", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=GUARD)
    assert done.returncode == (0 if done.stdout else 2), done.stderr
    return done.stdout or done.stderr


def test_a_trainer_that_outlives_its_server_is_announced_listed_and_stopped(tmp_path, notes):
    assert regard_train(tmp_path, "--list") == "nothing is being trained in runs\n"
    running = started(tmp_path)
    with running.watch() as socket:
        socket.send(json.dumps({"kind": "start", "name": "notes", "text": TEXT, "settings": QUICK}))
        Watching(socket, name="notes").next("report")
    assert ended(running) == 0
    trainer = holder(notes)
    told = f"runs/notes is being trained by process {trainer}; stop it with: regard train --stop runs/notes"
    assert f"{told}; or leave it: it goes on by itself\n" in running.said
    assert regard_train(tmp_path, "--list") == f"{told}\n" == regard_train(tmp_path, "--list", "runs/notes")
    said = regard_train(tmp_path, "--stop", "runs/notes")
    assert f"process {trainer} saves runs/notes and stops" in said and "regard train --resume runs/notes" in said
    assert holder(notes) is None and (notes / "train.log").read_text().rstrip().endswith("--resume runs/notes")
    assert "nobody is training in runs/notes" in regard_train(tmp_path, "--stop", "runs/notes")
    assert "say which run to stop" in regard_train(tmp_path, "--stop")
