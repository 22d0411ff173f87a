"""`regard open`: on loopback only, with a new token each time, told in one line, ended by Ctrl-C."""

import json
import socket
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from regard.cli.main import run
from regard.server import page
from regard.server.serving import loopback, new_token

from .conftest import ended, started


def test_it_listens_on_loopback_only(server):
    if not Path("/proc/net/tcp").exists():
        pytest.skip("this system has no /proc/net/tcp, which lists who listens where")
    found = (
        Path(f"/proc/{server.process.pid}/net/tcp").read_text()
        + Path(f"/proc/{server.process.pid}/net/tcp6").read_text()
    )
    listening = [
        line.split()[1] for line in found.splitlines() if line.split()[3] == "0A" and f":{server.port:04X} " in line
    ]
    own = {"0100007F", "00000000000000000000000001000000"}
    assert listening and {address.partition(":")[0] for address in listening} <= own


def test_it_answers_under_both_loopback_addresses(server):
    try:
        line = socket.create_connection(("::1", server.port), timeout=60)
    except OSError:
        pytest.skip("this machine has no IPv6")
    with line:
        line.sendall(f"GET / HTTP/1.1\r\nHost: [::1]:{server.port}\r\nConnection: close\r\n\r\n".encode())
        assert line.recv(100).startswith(b"HTTP/1.1 401")


def test_ctrl_c_ends_it_cleanly_also_while_it_computes_and_while_somebody_watches(tmp_path):
    running = started(tmp_path, "two-heads", "--text", "On the <b> mat")
    first = next(line for line in running.said if "#" in line)
    state = dict(parse_qsl(first.partition("#")[2].strip()))
    assert state == {"model": "two-heads", "text": "On the <b> mat"}
    (tmp_path / "runs/notes").mkdir(parents=True)
    with running.watch() as watching:
        watching.send(json.dumps({"kind": "watch", "name": "notes"}))
        watching.recv(60)
        changes = [{"kind": "update", "rate": 1e-9, "times": 1000}]
        body = json.dumps({"text": "The quick brown fox", "next": "jumps", "changes": changes})
        with socket.create_connection(("127.0.0.1", running.port)) as line:
            line.sendall(
                f"POST /api/explain HTTP/1.1\r\nHost: {running.host}\r\nAuthorization: Bearer {running.token}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
            )
            assert ended(running) == 0
    said = "".join(running.said)
    assert said.endswith("closed\n") and "Traceback" not in said and len(said.splitlines()) == 3


def test_what_is_wrong_is_said_in_one_line(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert run(["open", "--no-browser", "--port", str(taken.getsockname()[1])]) == 2
        assert "choose another with --port" in capsys.readouterr().err
    assert run(["open", "foxx", "--no-browser"]) == 2
    assert "did you mean fox?" in capsys.readouterr().err
    assert run(["open", "--port", "70000"]) == 2
    assert "port" in capsys.readouterr().err


def test_sockets_are_tcp_so_that_answers_do_not_wait():
    """asyncio turns the delay of small packets off only where a socket says that it is TCP."""
    sockets = loopback(0)
    assert {s.proto for s in sockets} == {socket.IPPROTO_TCP}
    assert len({s.getsockname()[1] for s in sockets}) == 1
    for s in sockets:
        s.close()


def test_tokens_differ():
    assert len({new_token() for _ in range(100)}) == 100


def test_without_a_built_page_it_is_said_what_to_do(tmp_path):
    found = page.files(tmp_path)
    assert set(found) == {"/"} and b"pip install" in found["/"].content and b"<script" not in found["/"].content


def test_only_files_of_the_page_are_served(tmp_path):
    folder = tmp_path / "web"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>regard</title>")
    (folder / "assets/page.js").write_text("1")
    (folder / "assets/font.woff2").write_bytes(b"1")
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "assets/link.txt").symlink_to(tmp_path / "secret.txt")
    found = page.files(folder)
    assert set(found) == {"/", "/index.html", "/assets/page.js", "/assets/font.woff2"}
    assert found["/assets/page.js"].kind == "text/javascript; charset=utf-8"
    assert found["/assets/font.woff2"].kind == "font/woff2"


def test_it_never_asks_anything_of_the_network(tmp_path):
    """With every way out closed by a sitecustomize that fails on connect, the server works as before."""
    guard = tmp_path / "guard"
    guard.mkdir()
    (guard / "sitecustomize.py").write_text(
        "import socket\n"
        "def refused(*_): raise SystemExit('tried to connect somewhere')\n"
        "socket.socket.connect = socket.socket.connect_ex = refused\n"
    )
    environment = {"PYTHONPATH": f"{guard}:{Path(__file__).parents[2] / 'src'}"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        running = started(tmp_path)
        patch.undo()
        assert running.post("/api/explain", text="The quick brown fox", next="jumps").status == 200
        assert ended(running) == 0
