"""`regard open`: on loopback only, with a new session each time, told in three lines, ended by Ctrl-C."""

import json
import re
import signal
import socket
import stat
import tempfile
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from regard.cli.main import run
from regard.server import page
from regard.server.serving import loopback

from .conftest import GUARD, ended, started, until


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
        line.sendall(f"GET /api/health HTTP/1.1\r\nHost: [::1]:{server.port}\r\nConnection: close\r\n\r\n".encode())
        assert line.recv(100).startswith(b"HTTP/1.1 401")


def test_ctrl_c_ends_it_cleanly_also_while_it_computes_and_while_somebody_watches(tmp_path):
    running = started(tmp_path, "two-heads", "--text", "On the <b> mat")
    first = next(line for line in running.said if "#" in line)
    state = dict(parse_qsl(first.partition("#")[2].strip()))
    assert state == {"login": running.login, "model": "two-heads", "text": "On the <b> mat"}
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
    assert said.endswith("closed\n") and "Traceback" not in said and len(said.splitlines()) == 4


BROWSER = """#!/bin/sh
# stands in for a browser: notes how it was called, and what the file is that it was given
file=${1#file://}
echo "$@" > "$NOTES/arguments"
ls -ld "$file" "$(dirname "$file")" > "$NOTES/modes"
cp "$file" "$NOTES/copy.tmp" && mv "$NOTES/copy.tmp" "$NOTES/copy"
"""


def test_the_browser_gets_its_address_in_a_private_file_that_is_removed_when_used(tmp_path, monkeypatch):
    """Arguments of a command can be read by everybody on the machine."""
    script, home = tmp_path / "browser", tmp_path / "home"
    script.write_text(BROWSER)
    script.chmod(0o700)
    home.mkdir()
    for name, value in {"BROWSER": f"{script} %s", "NOTES": tmp_path, "HOME": home}.items():
        monkeypatch.setenv(name, str(value))
    running = started(tmp_path, browser=True)
    try:
        until((tmp_path / "copy").exists)
        found = re.search(r'url=(http://127\.0\.0\.1:\d+/)#login=([\w-]+)"', (tmp_path / "copy").read_text())
        assert found and found[1] == f"http://{running.host}/"
        assert found[2] != running.login, "the printed address is another one, and still works"
        arguments = (tmp_path / "arguments").read_text()
        assert found[2] not in arguments and running.login not in arguments and running.token not in arguments
        commands = Path(f"/proc/{running.process.pid}/cmdline")
        assert not commands.exists() or found[2] not in commands.read_text()
        assert {line[:10] for line in (tmp_path / "modes").read_text().splitlines()} == {"-rw-------", "drwx------"}
        assert [path.name for path in home.glob("regard-*/*")] == ["open.html"]
        assert running.exchanged(found[2]).data == {"session": running.token}
        assert list(home.iterdir()) == []
        assert running.exchanged(found[2]).status == 403
    finally:
        assert ended(running) == 0


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_the_private_file_is_removed_at_the_end_also_if_nobody_came(tmp_path, monkeypatch, end):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("BROWSER", "true %s")
    running = started(tmp_path, browser=True)
    until(lambda: list(tmp_path.glob("regard-*/open.html")))
    running.process.send_signal(end)
    running.process.wait(GUARD)
    ended(running)
    assert list(tmp_path.glob("regard-*")) == []


def test_a_fresh_address_is_printed_on_demand(server, capsys):
    assert run(["open", "--again", "--port", str(server.port)]) == 0
    printed = capsys.readouterr().out
    assert re.fullmatch(rf"http://127\.0\.0\.1:{server.port}/#login=[\w-]+\n", printed)
    assert run(["open", "fox", "--again", "--port", str(server.port), "--text", "The fox"]) == 0
    again = capsys.readouterr().out.strip()
    state = dict(parse_qsl(again.partition("#")[2]))
    assert state == {"login": state["login"], "model": "fox", "text": "The fox"}
    for address in (printed.strip(), again):
        assert server.exchanged(dict(parse_qsl(address.partition("#")[2]))["login"]).status == 200


@pytest.fixture
def runtime_folder(monkeypatch):
    """Where doorbells hang, with a short path: the name of a socket may have about a hundred letters."""
    with tempfile.TemporaryDirectory() as folder:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        yield Path(folder)


def test_who_may_ask_for_a_fresh_address(tmp_path, runtime_folder, capsys):
    """Whoever may enter a folder that is its owner's alone; what another user has put there is refused."""
    assert run(["open", "--again"]) == 2
    assert "start it with: regard open" in capsys.readouterr().err
    first, second = started(tmp_path), started(tmp_path)
    try:
        folder = runtime_folder / "regard"
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert {path.name for path in folder.iterdir()} == {f"{s.port}.sock" for s in (first, second)}
        assert run(["open", "--again"]) == 2
        assert "--port" in capsys.readouterr().err
        second.process.kill()  # leaves its socket behind, which nobody answers
        second.process.wait(GUARD)
        assert run(["open", "--again"]) == 0
        assert f":{first.port}/#login=" in capsys.readouterr().out
        folder.chmod(0o755)
        assert run(["open", "--again"]) == 2
        assert "not a private folder" in capsys.readouterr().err
        folder.chmod(0o700)
    finally:
        ended(second)
        assert ended(first) == 0
    assert [path.name for path in folder.iterdir()] == [f"{second.port}.sock"]
    (folder / f"{second.port}.sock").unlink()
    folder.rmdir()
    folder.symlink_to(tmp_path)  # somebody's link
    assert run(["open", "--again"]) == 2
    assert "not a private folder" in capsys.readouterr().err


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
