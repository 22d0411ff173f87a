"""A real server for the tests: `regard open` as a process of its own, in a folder of its own, on a free port."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

GUARD = 60  # seconds after which something hangs


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.body, parse_constant=lambda token: pytest.fail(f"not strict JSON: {token}"))


@dataclass
class Running:
    """A server and how to ask it."""

    process: subprocess.Popen[str]
    port: int
    token: str  # the session's value
    folder: Path
    said: list[str] = field(default_factory=list)
    login: str = ""  # of the printed address; used up when the session began
    _kept: dict[int, http.client.HTTPConnection] = field(default_factory=dict)  # one for each thread that asks
    _reader: threading.Thread | None = None

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def ask(
        self, method: str, path: str, data: Any = None, headers: dict[str, str] | None = None, body: bytes | None = None
    ) -> Answer:
        """One request with the token, over a connection that is kept."""
        given = {"Authorization": f"Bearer {self.token}"} if headers is None else headers
        if data is not None:
            body, given = json.dumps(data).encode(), {"Content-Type": "application/json", **given}
        for attempt in (0, 1):
            me = threading.get_ident()
            if me not in self._kept:
                self._kept[me] = http.client.HTTPConnection("127.0.0.1", self.port, timeout=GUARD)
            connection = self._kept[me]
            try:
                connection.request(method, path, body, given)
                got = connection.getresponse()
                return Answer(got.status, {k.lower(): v for k, v in got.getheaders()}, got.read())
            except (ConnectionError, http.client.RemoteDisconnected):
                # a kept connection may have been closed since; a new one may not
                self._kept.pop(me).close()
                if attempt:
                    raise
        raise AssertionError

    def post(self, path: str, **data: Any) -> Answer:
        return self.ask("POST", path, data)

    def exchanged(self, login: str) -> Answer:
        return self.ask("POST", "/api/session", headers={"Authorization": f"Login {login}"})

    def raw(self, sent: bytes, seconds: float = GUARD) -> bytes:
        """Bytes as they are, and all that comes back until the server closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as line:
            line.sendall(sent)
            parts = []
            while part := line.recv(65536):
                parts.append(part)
        return b"".join(parts)

    def watch(self, **options: Any) -> ClientConnection:
        given = {"additional_headers": {"Authorization": f"Bearer {self.token}"}, "open_timeout": GUARD, **options}
        return connect(f"ws://{self.host}/api/train", **given)

    @property
    def memory(self) -> int:
        """Resident bytes."""
        _need_proc()
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    @property
    def own_memory(self) -> int:
        """Resident bytes that are the process's alone: pages of files come and go as the machine has room for them."""
        _need_proc()
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return 1024 * next(int(line.split()[1]) for line in status.splitlines() if line.startswith("RssAnon"))

    @property
    def handles(self) -> int:
        _need_proc()
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


def _need_proc() -> None:
    if not Path("/proc/self/statm").exists():
        pytest.skip("this system has no /proc, which says what a process holds")


def started(folder: Path, *arguments: str, browser: bool = False) -> Running:
    command = [sys.executable, "-m", "regard", "open", "--port", "0", *arguments]
    if not browser:
        command.append("--no-browser")
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "error", "PYTHONUNBUFFERED": "1"}
    source = str(Path(__file__).parents[2] / "src")
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH")]))
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    )
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if found := re.search(r"http://127\.0\.0\.1:(\d+)/#login=([\w-]+)", line):
            running = Running(process, int(found[1]), "", folder, said)
            running.login = found[2]
            running.token = running.exchanged(found[2]).data["session"]
            # what it says later must be read, or it would wait for us
            running._reader = threading.Thread(target=lambda: said.extend(process.stdout or ()), daemon=True)
            running._reader.start()
            return running
    pytest.fail(f"the server did not start: {''.join(said)}")


def ended(running: Running) -> int:
    if running.process.poll() is None:
        running.process.send_signal(signal.SIGINT)
    try:
        return running.process.wait(GUARD)
    finally:
        running.process.kill()
        running.process.wait()
        for connection in running._kept.values():
            connection.close()
        assert running._reader is not None and running.process.stdout is not None
        running._reader.join(GUARD)
        running.process.stdout.close()


def until(condition: Any, seconds: float = GUARD) -> Any:
    """Wait for something to become true; a guard against hanging, not a measurement."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.02)
    pytest.fail("it did not happen")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    running = started(tmp_path_factory.mktemp("server"))
    yield running
    assert ended(running) == 0
    said = "".join(running.said)
    assert "Traceback" not in said, said[-5000:]
