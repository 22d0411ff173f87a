"""The one door: no session, a foreign name or another site gets nothing, over HTTP and WebSocket alike."""

import json
import re
import socket
from urllib.parse import quote

import pytest
from starlette.routing import WebSocketRoute
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from regard.server import page
from regard.server.application import routes
from regard.server.doorbell import ring
from regard.server.entry import MOST_WAITING, Entry
from regard.session.shelf import Shelf

# as a browser must see them, letter by letter
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
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


def offered(value: str) -> tuple[str, str]:
    """How a page shows its session to a WebSocket, which can send no header of its own."""
    return "Sec-WebSocket-Protocol", f"regard, session.{value}"


def opened(server, *headers: tuple[str, str], path: str = "/api/train") -> int:
    """The status that a WebSocket handshake gets: 101, or the refusal."""
    key = [("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"), ("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA==")]
    lines = [f"GET {path} HTTP/1.1", *(f"{n}: {v}" for n, v in (*headers, *key)), "Connection: Upgrade", "", ""]
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as line:
        line.sendall("\r\n".join(lines).encode("latin-1"))
        answer = line.recv(65536)
    return int(answer.split()[1]) if answer else 0


def test_every_route_and_method_without_a_session_is_refused(server, figure):
    """Except the page's own files, which hold no data; and the exchange, which wants a login value."""
    files = page.files()
    tried = 0
    for path in [*paths(server), *files, "/api/session"]:
        for method in METHODS:
            body = STATE if method in ("POST", "PUT", "PATCH") else b""
            status, headers, content = request(server, method, path, [host(server)], body)
            if path in files and method in ("GET", "HEAD"):
                assert status == 200 and content == (files[path].content if method == "GET" else b"")
            elif (method, path) == ("POST", "/api/session"):
                assert status == 403
            else:
                assert status == 401, (method, path)
                assert method == "HEAD" or json.loads(content)["error"]["kind"] == "no_token"
            assert not [name for name, _ in headers if name.lower().startswith(("set-cookie", "access-control"))]
            tried += 1
    assert tried > 150
    figure(requests=tried)


def test_wrong_values_are_refused(server):
    wrong = [server.token[:-1], server.token + "x", server.token.swapcase(), "", " ", "null", "é", "x" * 5000]
    for word in [*wrong, server.login, f"Login {server.token}"]:
        assert request(server, "GET", "/api/health", [host(server), ("Authorization", f"Bearer {word}")])[0] == 403
        assert request(server, "GET", "/api/health", [host(server), ("Authorization", word)])[0] == 403
        assert request(server, "POST", "/api/session", [host(server), ("Authorization", f"Login {word}")])[0] == 403
    assert request(server, "GET", "/api/health", [host(server), ("Authorization", server.token)])[0] == 403
    two = [host(server), token(server), ("Authorization", "Bearer other")]
    assert request(server, "GET", "/api/health", two)[0] == 403


def test_the_session_is_taken_from_no_cookie_and_no_address(server):
    """Cookies do not know ports: what another server could be sent, or could set, must be worth nothing."""
    for name in (f"regard_{server.port}", "regard", "session", "Authorization"):
        assert request(server, "GET", "/api/health", [host(server), ("Cookie", f"{name}={server.token}")])[0] == 401
        set_elsewhere = [host(server), token(server), ("Cookie", f"{name}=x; {name}=y")]
        assert request(server, "GET", "/api/health", set_elsewhere)[0] == 200
    for name in ("token", "session", "login"):
        assert request(server, "GET", f"/api/health?{name}={quote(server.token)}", [host(server)])[0] == 401
        assert opened(server, host(server), path=f"/api/train?{name}={quote(server.token)}") == 401


def test_a_login_value_is_exchanged_once_and_then_worthless(server):
    fresh = ring(server.port)[1]
    assert re.fullmatch(r"[\w-]{43}", fresh) and re.fullmatch(r"[\w-]{43}", server.token)
    assert fresh not in (server.login, server.token)
    for method in ("GET", "HEAD", "PUT"):  # a program that looks ahead at links does not use it up
        assert request(server, method, "/api/session", [host(server), ("Authorization", f"Login {fresh}")])[0] == 403
    first = server.exchanged(fresh)
    assert first.status == 200 and first.data == {"session": server.token}
    assert first.headers["cache-control"] == "no-store" and "set-cookie" not in first.headers
    for used in (fresh, server.login):
        refused = server.exchanged(used)
        assert refused.status == 403 and "used already" in refused.data["error"]["message"]


def test_login_values_that_nobody_uses_do_not_pile_up():
    entry = Entry()
    values = [entry.login() for _ in range(MOST_WAITING + 1)]
    assert len(set(values)) == MOST_WAITING + 1
    assert [entry.exchanged(value.encode()) is not None for value in values] == [False] + MOST_WAITING * [True]
    assert len({Entry().exchanged(b"") for _ in range(3)}) == 1
    sessions = {entry.exchanged(entry.login().encode()) for entry in (Entry(), Entry(), Entry())}
    assert len(sessions) == 3 and None not in sessions


def websockets(tmp_path) -> list[str]:
    """The paths of every WebSocket that the application has."""
    app = routes(Shelf(tmp_path, ()), {})
    try:
        return [route.path for route in app.routes if isinstance(route, WebSocketRoute)]
    finally:
        app.state.work.close()


def test_every_websocket_without_a_session_is_refused_before_it_is_accepted(server, tmp_path, figure):
    found = websockets(tmp_path)
    assert "/api/train" in found
    origin = ("Origin", f"http://{server.host}")
    for path in found:
        assert opened(server, host(server), path=path) == 401
        assert opened(server, host(server), origin, path=path) == 401
        assert opened(server, host(server), ("Sec-WebSocket-Protocol", "regard"), path=path) == 401
        for wrong in ("x", server.token[:-1], server.login):
            assert opened(server, host(server), ("Authorization", f"Bearer {wrong}"), path=path) == 403
            assert opened(server, host(server), offered(wrong), path=path) == 403
        assert opened(server, host(server), ("Sec-WebSocket-Protocol", f"regard, {server.token}"), path=path) == 403
        assert opened(server, host(server), ("Cookie", f"regard_{server.port}={server.token}"), path=path) == 401
        assert opened(server, host(server), token(server), path=path) == 101
        assert opened(server, host(server), offered(server.token), origin, path=path) == 101
    assert opened(server, host(server), path="/api/nothing") == 401
    assert opened(server, host(server), token(server), path="/api/nothing") == 403
    with pytest.raises(InvalidStatus) as refused:
        connect(f"ws://{server.host}/api/train")
    assert json.loads(refused.value.response.body)["error"]["kind"] == "no_token"
    named = {name.lower(): value for name, value in refused.value.response.headers.raw_items()}
    assert HEADERS.items() <= named.items()
    figure(websockets=len(found))


def test_a_websocket_answers_with_the_public_subprotocol_and_never_with_the_session(server):
    with connect(f"ws://{server.host}/api/train", subprotocols=["regard", f"session.{server.token}"]) as line:
        assert line.subprotocol == "regard"
        assert server.token not in str(line.response.headers)


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


def test_only_exact_loopback_names_pass(server, figure):
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
        link = request(server, "GET", "/", [("Host", name)])[0]
        assert (link == 200) if is_ours else (link in (400, 403)), name
        login = ("Authorization", f"Login {ring(server.port)[1]}")
        exchange = request(server, "POST", "/api/session", [("Host", name), login])[0]
        assert (exchange == 200) if is_ours else (exchange in (400, 403)), name
        figure(names=1, requests=len(METHODS) + 3)


def test_no_host_or_two_are_refused(server):
    assert request(server, "GET", "/api/health", [token(server)])[0] in (400, 403)
    assert request(server, "GET", "/api/health", [token(server)], version="1.0")[0] == 403
    assert request(server, "GET", "/api/health", [host(server), ("Host", "evil.example"), token(server)])[0] in (
        400,
        403,
    )
    assert request(server, "GET", "http://evil.example/api/health", [("Host", "evil.example"), token(server)])[0] == 403


# Origin, Sec-Fetch-Site → whether what has its session or login value passes
OWN, NONE = "own", None
SITES = [
    (NONE, NONE, True),
    (OWN, NONE, True),
    (OWN, "same-origin", True),
    (NONE, "same-origin", True),
    (NONE, "none", True),
    (OWN, "cross-site", False),
    (NONE, "cross-site", False),
    (NONE, "same-site", False),
    (NONE, "nonsense", False),
    (NONE, "", False),
    ("null", NONE, False),
    ("null", "same-origin", False),
    ("http://evil.example", NONE, False),
    ("http://evil.example", "same-origin", False),
    ("https://own", NONE, False),
    ("http://own/", NONE, False),
    ("http://own.evil.example", NONE, False),
    ("http://localhost", NONE, False),
    ("", NONE, False),
    ("file://", NONE, False),
    ("\xff\xfe", NONE, False),
]


@pytest.mark.parametrize("origin, site, passes", SITES, ids=str)
def test_requests_of_other_sites_are_refused(server, origin, site, passes, figure):
    headers = [host(server)]
    if origin is not None:
        written = f"http://{server.host}" if origin == OWN else origin.replace("own", server.host)
        headers.append(("Origin", written))
    if site is not None:
        headers.append(("Sec-Fetch-Site", site))
    login = ("Authorization", f"Login {ring(server.port)[1]}")
    found = (
        request(server, "GET", "/page.js", headers)[0],
        request(server, "GET", "/api/health", [*headers, token(server)])[0],
        request(server, "POST", "/api/explain", [*headers, token(server)], STATE)[0],
        request(server, "POST", "/api/session", [*headers, login])[0],
        opened(server, *headers, token(server)),
        opened(server, *headers, offered(server.token)),
    )
    assert found == ((200, 200, 200, 200, 101, 101) if passes else 6 * (403,))
    figure(requests=len(found))


def test_a_link_from_anywhere_opens_the_page_and_nothing_else(server):
    """Its files hold no data. Anything but a tab that is being opened (a frame, an image, a script) is refused."""
    foreign = [host(server), ("Sec-Fetch-Site", "cross-site")]
    tab = [("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")]
    status, _, content = request(server, "GET", "/", [*foreign, *tab])
    assert status == 200 and content == page.files()["/"].content
    refused = [
        ("GET", "/", [("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "iframe")]),
        ("GET", "/", [("Sec-Fetch-Mode", "no-cors"), ("Sec-Fetch-Dest", "document")]),
        ("GET", "/", [("Sec-Fetch-Mode", "navigate")]),
        ("GET", "/page.js", tab),
        ("GET", "/api/health", [*tab, token(server)]),
        ("POST", "/", [*tab, token(server)]),
        ("POST", "/api/session", tab),
        ("GET", "/", [*tab, ("Origin", "http://evil.example")]),
    ]
    for method, path, headers in refused:
        assert request(server, method, path, [*foreign, *headers])[0] == 403, (method, path)
    assert request(server, "GET", "/", [("Host", "evil.example"), *tab])[0] == 403


def test_every_answer_has_the_security_headers_and_none_has_cors(server, figure):
    asked = {
        200: request(server, "GET", "/api/health", [host(server), token(server)]),
        400: request(server, "POST", "/api/explain", [host(server), token(server)], b"{"),
        401: request(server, "GET", "/api/health", [host(server)]),
        403: request(server, "GET", "/", [("Host", "evil.example")]),
        404: request(server, "GET", "/nothing", [host(server), token(server)]),
        405: request(server, "DELETE", "/api/explain", [host(server), token(server)]),
        413: request(server, "POST", "/api/explain", [host(server), token(server)], b" " * 2_000_001),
        422: request(server, "POST", "/api/explain", [host(server), token(server)], b"{}"),
    }
    asked[304] = request(server, "GET", "/", [host(server), ("If-None-Match", _tag(server))])
    asked[200 + 1000] = request(server, "GET", "/", [host(server)])
    login = ("Authorization", f"Login {ring(server.port)[1]}")
    asked[200 + 2000] = request(server, "POST", "/api/session", [host(server), login])
    preflight = [host(server), token(server), ("Access-Control-Request-Method", "POST")]
    asked[405 + 1000] = request(server, "OPTIONS", "/api/explain", preflight)
    for expected, (status, headers, content) in asked.items():
        assert status == expected % 1000
        named = {name.lower(): value for name, value in headers}
        assert {name: named.get(name) for name in HEADERS} == HEADERS, status
        assert not [name for name in named if name.startswith("access-control")]
        assert "server" not in named
        if status >= 400:
            assert set(json.loads(content)) == {"error"} and set(json.loads(content)["error"]) == {"kind", "message"}
    figure(answers=len(asked), headers=len(HEADERS))


def _tag(server) -> str:
    return server.ask("GET", "/").headers["etag"]


def test_a_person_who_is_not_let_in_is_told_in_words(server):
    _, headers, content = request(server, "GET", "/nothing", [host(server), ("Accept", "text/html,*/*")])
    assert dict(headers)["content-type"].startswith("text/plain")
    assert b"regard open --again" in content


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
