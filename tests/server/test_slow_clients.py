"""Slow and broken HTTP: whoever stalls or babbles is let go, and everybody else is answered meanwhile."""

import socket
import threading

import pytest

from regard.server import limits
from regard.server.serving import Sweeper

BROKEN = {
    "nothing": b"",
    "an empty line": b"\r\n\r\n",
    "noise": bytes(range(256)) * 4,
    "no version": b"GET /\r\n\r\n",
    "HTTP/9": b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 64,
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a header without a colon": b"GET / HTTP/1.1\r\nHost x\r\n\r\n",
    "a space before the colon": b"GET / HTTP/1.1\r\nHost : x\r\n\r\n",
    "a folded header": b"GET / HTTP/1.1\r\nHost: x\r\n y\r\n\r\n",
    "a header without end": b"GET / HTTP/1.1\r\nX: " + b"a" * 100_000 + b"\r\n\r\n",
    "headers without end": b"GET / HTTP/1.1\r\n" + b"X: a\r\n" * 30_000 + b"\r\n",
    "a path without end": b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
    "two lengths": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "a length and chunks": b"POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a negative length": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    "chunks that are none": b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "a bare upgrade": b"GET /api/train HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    "another upgrade": b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
    "a NUL in a header": b"GET / HTTP/1.1\r\nHost: x\x00y\r\n\r\n",
    "pipelined": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 50,
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_requests_are_refused_and_the_line_is_closed(server, case):
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as line:
        try:
            line.sendall(BROKEN[case])
            line.shutdown(socket.SHUT_WR)
            answer = line.recv(65536)
        except OSError:  # closed by the server meanwhile
            answer = b""
    assert not answer or answer.split()[1] in (b"400", b"403", b"404", b"413", b"426", b"431")
    assert server.ask("GET", "/api/health").status == 200


def test_others_are_answered_while_hundreds_dawdle(server):
    """Headers that never end, bodies that never come, answers that nobody reads."""
    head = f"POST /api/explain HTTP/1.1\r\nHost: {server.host}\r\nAuthorization: Bearer {server.token}\r\n".encode()
    large = b'{"model":"untrained","text":"' + b"fox " * 60 + b'","next":"jumps"}'
    asking = head + f"Content-Type: application/json\r\nContent-Length: {len(large)}\r\n\r\n".encode() + large
    lines: list[socket.socket] = []
    try:
        for number in range(240):
            line = socket.socket()
            if number % 3 == 2:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            line.connect(("127.0.0.1", server.port))
            line.sendall(
                [head[:40], head + b"Content-Length: 1000\r\n\r\n{", asking][number % 3] if number < 30 else head[:40]
            )
            lines.append(line)
        answers = []

        def ask() -> None:
            answers.extend(server.ask("GET", "/api/health").status for _ in range(100))

        threads = [threading.Thread(target=ask) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert answers == [200] * 300
        assert server.post("/api/values", text="The quick brown fox", step="weights").status == 200
        # an unfinished header is given its seconds, and then the line is cut
        lines[0].settimeout(60)
        assert lines[0].recv(1) == b""
        assert limits.SECONDS_FOR_HEADERS < 30
    finally:
        for line in lines:
            line.close()


class Transport:
    def __init__(self) -> None:
        self.unsent, self.cut = 0, False

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def abort(self) -> None:
        self.cut = True


class Connection:
    """As much of uvicorn's connection as the sweeper looks at."""

    def __init__(self, answering: bool = False, unsent: int = 0, keeping: bool = False):
        self.cycle = type("Cycle", (), {"response_complete": not answering, "more_body": False})()
        self.transport = Transport()
        self.transport.unsent = unsent
        self.timeout_keep_alive_task = object() if keeping else None


def test_the_sweeper_cuts_those_who_get_nowhere_and_only_those(monkeypatch):
    monkeypatch.setattr(limits, "CONNECTIONS", 8)
    dawdles, computing, reads, stalls = (Connection(), Connection(True), Connection(True, 900), Connection(True, 900))
    idle, stream, stalled_stream = Connection(keeping=True), Connection(), Connection(unsent=900)
    del stream.cycle, stalled_stream.cycle  # as WebSockets are
    state = type("State", (), {"connections": {dawdles, computing, reads, stalls, idle, stream, stalled_stream}})()
    sweeper = Sweeper(state)
    for now in range(200):
        reads.transport.unsent = 1000 - now  # it takes its answer, slowly
        sweeper.sweep(float(now))
        assert dawdles.transport.cut == (now > limits.SECONDS_FOR_HEADERS)
        assert stalls.transport.cut == stalled_stream.transport.cut == (now > limits.SECONDS_FOR_ANSWER)
    assert not any(c.transport.cut for c in (computing, reads, idle, stream))
    crowd = [Connection() for _ in range(9)]
    state.connections |= set(crowd[:4])
    sweeper.sweep(201.0)
    state.connections |= set(crowd[4:])
    sweeper.sweep(202.0)
    # 16 are there, 8 may be: those go that have waited longest for their first line
    assert sum(c.transport.cut for c in crowd) >= 4
    assert all(c.transport.cut for c in crowd[:4]) and not computing.transport.cut
