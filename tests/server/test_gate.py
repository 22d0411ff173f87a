"""The one door: no token, a foreign name or another site gets nothing, over HTTP and WebSocket alike."""

import json
import re
import socket

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from regard.server.gate import SECURITY_HEADERS

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "BREW")
STATE = json.dumps({"text": "The quick brown fox"}).encode()


def request(server, method: str, path: str, headers: list[tuple[str, str]], body: bytes = b"", version: str = "1.1"):
    """A request with exactly these headers; status, headers and body of what comes back."""
    lines = [f"{method} {path} HTTP/{version}", *(f"{name}: {value}" for name, value in headers)]
    if body:
        lines += [f"Content-Length: {len(body)}", "Content-Type: application/json"]
    sent = "\r\n".join([*lines, "Connection: close", "", ""]).encode("latin-1") + body
    head, _, content = server.raw(sent).partition(b"\r\n\r\n")
    first, *rest = head.decode("latin-1").split("\r\n")
    return int(first.split()[1]), [tuple(line.split(": ", 1)) for line in rest], content


def paths(server) -> list[str]:
    named = [path.replace("{name}", "fox") for path in server.ask("GET", "/api/openapi.json").data["paths"]]
    assert len(named) > 8
    return [*named, "/", "/index.html", "/api/openapi.json", "/api/nothing", "/docs", "/assets/x.js", "/api/train"]


def host(server) -> tuple[str, str]:
    return "Host", server.host


def token(server) -> tuple[str, str]:
    return "Authorization", f"Bearer {server.token}"


def cookie(server) -> tuple[str, str]:
    return "Cookie", f"other=1; regard_{server.port}={server.token}"


def opened(server, *headers: tuple[str, str], path: str = "/api/train") -> int:
    """The status that a WebSocket handshake gets: 101, or the refusal."""
    key = [("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"), ("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA==")]
    lines = [f"GET {path} HTTP/1.1", *(f"{n}: {v}" for n, v in (*headers, *key)), "Connection: Upgrade", "", ""]
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as line:
        line.sendall("\r\n".join(lines).encode("latin-1"))
        answer = line.recv(65536)
    return int(answer.split()[1]) if answer else 0


def test_every_route_and_method_without_a_token_is_refused(server):
    tried = 0
    for path in paths(server):
        for method in METHODS:
            body = STATE if method in ("POST", "PUT", "PATCH") else b""
            status, headers, content = request(server, method, path, [host(server)], body)
            assert status == 401, (method, path)
            assert method == "HEAD" or json.loads(content)["error"]["kind"] == "no_token"
            assert not [name for name, _ in headers if name.lower().startswith(("set-cookie", "access-control"))]
            tried += 1
    assert tried > 150


def test_wrong_tokens_are_refused(server):
    wrong = [server.token[:-1], server.token + "x", server.token.swapcase(), "", " ", "null", "é", "x" * 5000]
    for word in wrong:
        assert request(server, "GET", "/api/health", [host(server), ("Authorization", f"Bearer {word}")])[0] == 403
        assert request(server, "GET", "/api/health", [host(server), ("Authorization", word)])[0] == 403
        assert (
            request(server, "GET", "/api/health", [host(server), ("Cookie", f"regard_{server.port}={word}")])[0] == 403
        )
        quoted = (
            word.replace(" ", "%20").encode("utf-8").decode("latin-1").replace("é", "%C3%A9").replace("Ã©", "%C3%A9")
        )
        assert request(server, "GET", f"/?token={quoted}", [host(server)])[0] in (401, 403)
    assert request(server, "GET", f"/api/health?token={server.token}", [host(server)])[0] == 401, "only / takes it"
    assert request(server, "POST", f"/?token={server.token}", [host(server)], STATE)[0] == 401
    two = [host(server), token(server), ("Authorization", "Bearer other")]
    assert request(server, "GET", "/api/health", two)[0] == 403
    other = [host(server), ("Cookie", f"regard_1={server.token}")]
    assert request(server, "GET", "/api/health", other)[0] == 401, "another server's cookie"


def test_websockets_without_a_token_are_refused_before_they_are_accepted(server):
    assert opened(server, host(server)) == 401
    assert opened(server, host(server), ("Authorization", "Bearer x")) == 403
    assert opened(server, host(server), ("Cookie", f"regard_{server.port}=x")) == 403
    assert opened(server, host(server), cookie(server)) == 403, "a cookie without an Origin"
    assert opened(server, host(server), path=f"/api/train?token={server.token}") == 401
    assert opened(server, host(server), token(server)) == 101
    assert opened(server, host(server), cookie(server), ("Origin", f"http://{server.host}")) == 101
    assert opened(server, host(server), token(server), path="/api/nothing") == 403
    with pytest.raises(InvalidStatus) as refused:
        connect(f"ws://{server.host}/api/train")
    assert json.loads(refused.value.response.body)["error"]["kind"] == "no_token"
    names = {name.lower() for name in refused.value.response.headers}
    assert {name.decode() for name, _ in SECURITY_HEADERS} <= names


def hosts(port: int) -> dict[str, bool]:
    """Fourteen names that a request may come under, and whether they are ours."""
    return {
        f"127.0.0.1:{port}": True,
        f"localhost:{port}": True,
        f"[::1]:{port}": True,
        f"evil.example:{port}": False,
        "evil.example": False,
        "127.0.0.1": False,
        f"127.0.0.1:{port + 1}": False,
        f"127.0.0.1.evil.example:{port}": False,
        f"localhost.evil.example:{port}": False,
        f"evil.example#localhost:{port}": False,
        f"localhost:{port}@evil.example": False,
        f"0.0.0.0:{port}": False,
        f"127.1:{port}": False,
        f"LOCALHOST:{port}, evil.example": False,
    }


def test_only_exact_loopback_names_pass(server):
    """DNS rebinding: a foreign name that points here is still a foreign name, token or not."""
    assert len(hosts(server.port)) == 14
    for name, is_ours in hosts(server.port).items():
        for method in METHODS:
            body = STATE if method == "POST" else b""
            status = request(server, method, "/api/explain", [("Host", name), token(server)], body)[0]
            # h11 itself answers 400 to a Host with characters that no name has
            assert (status not in (400, 403)) if is_ours else (status in (400, 403)), (name, method, status)
        shake = opened(server, ("Host", name), token(server))
        assert (shake == 101) if is_ours else (shake in (400, 403)), name
        link = request(server, "GET", f"/?token={server.token}", [("Host", name)])[0]
        assert (link == 303) if is_ours else (link in (400, 403)), name


def test_no_host_or_two_are_refused(server):
    assert request(server, "GET", "/api/health", [token(server)])[0] in (400, 403)
    assert request(server, "GET", "/api/health", [token(server)], version="1.0")[0] == 403
    assert request(server, "GET", "/api/health", [host(server), ("Host", "evil.example"), token(server)])[0] in (
        400,
        403,
    )
    assert request(server, "GET", "http://evil.example/api/health", [("Host", "evil.example"), token(server)])[0] == 403


# Origin, Sec-Fetch-Site → whether GET, POST with a program's token, POST with the cookie and a WebSocket with it pass
OWN, NONE = "own", None
SITES = [
    (NONE, NONE, (True, True, False, False)),
    (OWN, NONE, (True, True, True, True)),
    (OWN, "same-origin", (True, True, True, True)),
    (NONE, "same-origin", (True, True, False, False)),
    (NONE, "none", (True, True, False, False)),
    (OWN, "cross-site", (False, False, False, False)),
    (NONE, "cross-site", (False, False, False, False)),
    (NONE, "same-site", (False, False, False, False)),
    (NONE, "nonsense", (False, False, False, False)),
    (NONE, "", (False, False, False, False)),
    ("null", NONE, (False, False, False, False)),
    ("null", "same-origin", (False, False, False, False)),
    ("http://evil.example", NONE, (False, False, False, False)),
    ("http://evil.example", "same-origin", (False, False, False, False)),
    ("https://own", NONE, (False, False, False, False)),
    ("http://own/", NONE, (False, False, False, False)),
    ("http://own.evil.example", NONE, (False, False, False, False)),
    ("http://localhost", NONE, (False, False, False, False)),
    ("", NONE, (False, False, False, False)),
    ("file://", NONE, (False, False, False, False)),
    ("\xff\xfe", NONE, (False, False, False, False)),
]


@pytest.mark.parametrize("origin, site, passes", SITES, ids=str)
def test_requests_of_other_sites_are_refused(server, origin, site, passes):
    headers = [host(server)]
    if origin is not None:
        written = f"http://{server.host}" if origin == OWN else origin.replace("own", server.host)
        headers.append(("Origin", written))
    if site is not None:
        headers.append(("Sec-Fetch-Site", site))
    health = request(server, "GET", "/api/health", [*headers, cookie(server)])[0]
    program = request(server, "POST", "/api/explain", [*headers, token(server)], STATE)[0]
    browser = request(server, "POST", "/api/explain", [*headers, cookie(server)], STATE)[0]
    shake = opened(server, *headers, cookie(server))
    refused = (403, 403, 403, 403)
    assert (health, program, browser, shake) == tuple(
        well if passed else no for well, passed, no in zip((200, 200, 200, 101), passes, refused)
    )


def test_the_token_is_swapped_for_a_cookie_that_scripts_cannot_read(server):
    status, headers, _ = request(server, "GET", f"/?token={server.token}", [host(server)])
    named = {name.lower(): value for name, value in headers}
    assert status == 303 and named["location"] == "/"
    parts = [part.strip() for part in named["set-cookie"].split(";")]
    assert parts[0] == f"regard_{server.port}={server.token}"
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(parts)
    page = request(server, "GET", "/", [host(server), ("Cookie", parts[0])])
    assert page[0] == 200 and b"<title>" in page[2]
    assert len(server.token) >= 32 and re.fullmatch(r"[\w-]+", server.token)


def test_every_answer_has_the_security_headers_and_none_has_cors(server):
    asked = {
        200: request(server, "GET", "/api/health", [host(server), token(server)]),
        303: request(server, "GET", f"/?token={server.token}", [host(server)]),
        400: request(server, "POST", "/api/explain", [host(server), token(server)], b"{"),
        401: request(server, "GET", "/", [host(server)]),
        403: request(server, "GET", "/", [("Host", "evil.example")]),
        404: request(server, "GET", "/nothing", [host(server), token(server)]),
        405: request(server, "DELETE", "/api/explain", [host(server), token(server)]),
        413: request(server, "POST", "/api/explain", [host(server), token(server)], b" " * 2_000_001),
        422: request(server, "POST", "/api/explain", [host(server), token(server)], b"{}"),
    }
    asked[304] = request(server, "GET", "/", [host(server), token(server), ("If-None-Match", _tag(server))])
    preflight = [host(server), token(server), ("Access-Control-Request-Method", "POST")]
    asked[405 + 1000] = request(server, "OPTIONS", "/api/explain", preflight)
    for expected, (status, headers, content) in asked.items():
        assert status == expected % 1000
        named = {name.lower(): value for name, value in headers}
        for name, value in SECURITY_HEADERS:
            assert named[name.decode()] == value.decode(), (status, name)
        assert not [name for name in named if name.startswith("access-control")]
        assert "server" not in named
        if status >= 400:
            assert set(json.loads(content)) == {"error"} and set(json.loads(content)["error"]) == {"kind", "message"}
    policy = dict(SECURITY_HEADERS)[b"content-security-policy"].decode()
    assert "script-src 'self';" in policy and "frame-ancestors 'none'" in policy and "default-src 'none'" in policy


def _tag(server) -> str:
    return server.ask("GET", "/").headers["etag"]


def test_a_person_without_a_token_is_told_in_words(server):
    _, headers, content = request(server, "GET", "/", [host(server), ("Accept", "text/html,*/*")])
    assert dict(headers)["content-type"].startswith("text/plain")
    assert b"regard open" in content


def test_large_bodies_are_refused_announced_or_not(server):
    head = f"POST /api/explain HTTP/1.1\r\nHost: {server.host}\r\nAuthorization: Bearer {server.token}\r\n"
    announced = server.raw(f"{head}Content-Length: 99999999999\r\n\r\n".encode())
    assert announced.startswith(b"HTTP/1.1 413")
    absurd = server.raw(f"{head}Content-Length: {'9' * 5000}\r\n\r\n".encode())
    assert absurd.split()[1] in (b"400", b"413")
    piece = b"10000\r\n" + b" " * 65536 + b"\r\n"
    chunked = f"{head}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    assert server.raw(chunked + 40 * piece + b"0\r\n\r\n").startswith(b"HTTP/1.1 413")
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as line:
        line.sendall(chunked)
        with pytest.raises(ConnectionError):  # without an end, the line is cut
            line.sendall(500 * piece)
    assert server.ask("GET", "/api/health").status == 200


TRAVERSALS = [
    "/../etc/passwd", "/../../../../etc/passwd", "/..%2f..%2f..%2fetc%2fpasswd", "/%2e%2e/%2e%2e/etc/passwd",
    "/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "/..%252f..%252fetc%252fpasswd", "/%252e%252e/etc/passwd", "/....//etc/passwd",
    "/....%2f%2fetc/passwd", "/..\\..\\etc\\passwd", "/..%5c..%5cetc%5cpasswd", "/%5c..%5c..%5cetc", "//etc/passwd",
    "///etc/passwd", "/etc/passwd", "/./etc/passwd", "/.%2fetc/passwd", "/assets/../../limits.py",
    "/assets/..%2f..%2fserver%2flimits.py", "/index.html/../../server/gate.py", "/web/../server/gate.py",
    "/%00/etc/passwd", "/index.html%00.js", "/index.html%00", "/..;/..;/etc/passwd", "/%c0%ae%c0%ae/etc/passwd",
    "/%u002e%u002e/etc/passwd", "/%ff%fe/etc/passwd", "/file:///etc/passwd", "/proc/self/environ", "/.git/config",
    "/.env", "/api/../../../etc/passwd", "/api/lessons/../../../etc/passwd", "/api/lessons/..%2f..%2fetc%2fpasswd",
    "/api/lessons/%2e%2e", "/api/lessons/fox.py", "/C:/Windows/win.ini", "/%2e%2e\\windows\\win.ini",
    "/~root/.ssh/id_rsa", "/server/limits.py", "/__init__.py",
]  # fmt: skip


@pytest.mark.parametrize("path", TRAVERSALS)
def test_paths_that_lead_elsewhere_find_nothing(server, path):
    assert len(TRAVERSALS) >= 40
    status, _, content = request(server, "GET", path, [host(server), token(server)])
    assert status in (403, 404)
    said = json.loads(content)["error"]["message"]
    assert "etc" not in said.replace(path, "") or "no lesson" in said
    assert b"root:" not in content and b"import" not in content


@pytest.mark.parametrize("there, not_there", [("/etc", "/etd"), ("../..", "../...x"), ("/", "/x"), (".", ".x")])
def test_names_of_models_do_not_tell_what_lies_on_this_machine(server, there, not_there):
    answers = [server.post("/api/explain", text="The fox", model=name) for name in (there, not_there)]
    said = [a.data["error"]["message"].replace(repr(n), "NAME") for a, n in zip(answers, (there, not_there))]
    assert [a.status for a in answers] == [404, 404] and said[0] == said[1]
