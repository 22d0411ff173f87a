"""Who the page lets in: one tab by a login value that is used up, and no other tab, port or cookie."""

import http.server
import threading
from contextlib import contextmanager
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

SHOWN = urlencode({"model": "fox", "text": "The quick brown fox", "next": "jumps"})


@pytest.fixture
def tab(browser):
    """A new tab of one person's browser."""
    context = browser.new_context(reduced_motion="reduce")
    yield context.new_page
    context.close()


def is_let_in(page: Page) -> None:
    expect(page.locator("[data-stage='10']")).to_be_visible()


def is_told_what_to_do(page: Page) -> None:
    expect(page.get_by_role("alert")).to_contain_text("regard open --again")
    expect(page.locator("[data-cell]")).to_have_count(0)


def test_the_login_value_leaves_the_address_at_once_and_a_reload_stays_let_in(tab, address):
    page = tab()
    page.goto(address(SHOWN))
    is_let_in(page)
    assert "login" not in page.url and "fox" in page.url
    page.reload()
    is_let_in(page)
    assert page.context.cookies() == []
    assert page.evaluate("Object.keys(localStorage)") == []


def test_an_address_that_was_used_lets_nobody_in_and_a_fresh_one_pasted_there_does(tab, address):
    used = address(SHOWN)
    page = tab()
    page.goto(used)
    is_let_in(page)
    second = tab()
    second.goto(used)
    is_told_what_to_do(second)
    second.goto(address())  # only what stands behind the # differs: the tab stays, with what it was to show
    is_let_in(second)
    assert "login" not in second.url and "quick" in second.url


def test_a_copied_link_in_another_tab_is_told_what_to_do_and_keeps_what_it_shows(tab, address):
    page = tab()
    page.goto(address(SHOWN))
    is_let_in(page)
    copied = tab()
    copied.goto(page.url)
    is_told_what_to_do(copied)
    copied.goto(address())
    is_let_in(copied)
    assert "quick" in copied.url
    with page.expect_event("load"):  # a tab that is in stays in
        page.goto(f"{page.url.partition('#')[0]}#login=made-up&{SHOWN}")
    is_let_in(page)


@contextmanager
def another_server():
    """Somebody's page on another port of this machine: it notes all that it is sent, and sets cookies of our names."""
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(f"{self.requestline}\n{self.headers}")
            body = b"<!doctype html><title>elsewhere</title>"
            self.send_response(200)
            for name in ("regard", "session", "login"):
                self.send_header("Set-Cookie", f"{name}=theirs; Path=/")
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/", asked
        finally:
            server.shutdown()


def test_a_server_on_another_port_obtains_nothing_and_can_overwrite_nothing(tab, address):
    page = tab()
    page.goto(address(SHOWN))
    is_let_in(page)
    session = page.evaluate("sessionStorage['regard.session']")
    ours = page.url
    with another_server() as (theirs, asked):
        for other in (page, tab()):
            other.goto(theirs)
            assert other.title() == "elsewhere"
            assert other.evaluate("[document.cookie, ...Object.values(sessionStorage)].join()").count(session) == 0
            other.evaluate("sessionStorage['regard.session'] = 'theirs'")
            reached = """ours => fetch(ours + 'api/models').then(() => "read", () => "refused")"""
            assert other.evaluate(reached, ours.partition("#")[0]) == "refused"
        assert len(asked) >= 2 and session not in "".join(asked) and "Authorization" not in "".join(asked)
    page.goto(ours)
    is_let_in(page)


def test_a_websocket_of_the_page_shows_the_session_as_a_subprotocol(tab, address):
    page = tab()
    page.goto(address(SHOWN))
    is_let_in(page)
    opening = """(offered) => new Promise((done) => {
      const socket = new WebSocket(`ws://${location.host}/api/train`, offered);
      socket.onopen = () => (done(socket.protocol), socket.close());
      socket.onerror = () => done("refused");
    })"""
    session = page.evaluate("sessionStorage['regard.session']")
    assert page.evaluate(opening, ["regard", f"session.{session}"]) == "regard"
    assert page.evaluate(opening, ["regard", "session.made-up"]) == "refused"
    assert page.evaluate(opening, ["regard"]) == "refused"


def test_the_browser_follows_the_private_file(tab, address, tmp_path):
    """From file:, which is a foreign site, as the browser is led when `regard open` starts."""
    from regard.server.handing import REDIRECT

    file = tmp_path / "open.html"
    file.write_text(REDIRECT.format(address=address(SHOWN).replace("&", "&amp;")), encoding="utf-8")
    page = tab()
    page.goto(file.as_uri())
    is_let_in(page)
