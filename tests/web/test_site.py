"""The hosted page and the file with the model inside, as a visitor would use them: no server of ours, nothing fetched
from elsewhere, and numbers that are Python's."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode

import pytest

import regard
from regard.cli.main import run
from regard.trace import Trace

expect = pytest.importorskip("playwright.sync_api").expect

GUARD = 60_000
NOT_YET = "[data-cell]:not([data-value]), [data-cell][data-value=''], [data-cell][data-value=NaN]"  # on its way
WALK = "() => [...document.querySelectorAll('[data-cell]')].map((one) => [one.dataset.cell, Number(one.dataset.value)])"
ENGLISH = {"model": "english", "text": "Once upon a time there was a little", "next": "girl"}


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None: ...


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    place = tmp_path_factory.mktemp("hosted") / "site"
    assert run(["site", str(place)]) == 0
    return place


@pytest.fixture(scope="module")
def host(folder) -> Iterator[str]:
    """The folder on a web host that knows nothing of regard, below a path as on GitHub Pages."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder.parent))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/site/"
        server.shutdown()


@pytest.fixture
def visit(browser) -> Iterator[Callable[[str], Any]]:
    """Open an address. What it asks for elsewhere, and what goes wrong in it, fails the test."""
    problems: list[str] = []
    contexts: list[Any] = []

    def go(address: str) -> Any:
        context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(GUARD)
        own = address.partition("#")[0]
        page.on(
            "request",
            lambda asked: problems.extend([asked.url] if not asked.url.startswith((own, "data:", "blob:")) else []),
        )
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
        page.goto(address)
        page.wait_for_selector("main")
        return page

    yield go
    for context in contexts:
        context.close()
    assert not problems


def linked(host: str, state: dict[str, Any]) -> str:
    said = {name: json.dumps(value) if name == "changes" else value for name, value in state.items()}
    return f"{host}#{urlencode(said)}"


def numbers_are(page: Any, trace: Trace, *wanted: str) -> None:
    """Every number on the page is the trace's, to a millionth, and the wanted ones are there."""
    for cell in wanted:
        page.wait_for_selector(f'[data-cell="{cell}"]', state="attached")
    expect(page.locator(NOT_YET)).to_have_count(0)
    found = dict(page.evaluate(WALK))
    assert len(found) > 20
    for cell, value in found.items():
        expected = float(trace[cell] if "[" in cell else trace.array(cell))
        assert value == pytest.approx(expected, rel=1e-6, abs=1e-9), cell
    assert set(wanted) <= set(found)


def test_english_reads_any_text_in_the_browser_and_a_link_leads_back(host, visit):
    page = visit(linked(host, ENGLISH))
    trace = regard.explain(ENGLISH["text"], ENGLISH["next"], "english")
    numbers_are(page, trace, "layer5.weights[3,7,0]", "after.loss")
    type_in(page, "The old man sat by the")
    page.wait_for_url(re.compile("old.*by"))
    again = visit(page.url)
    wanted = parse_qs(page.url.partition("#")[2]).get("next", [None])[0]
    trace = regard.explain("The old man sat by the", wanted, "english")
    leading = regard.explanation(trace, check=False)
    numbers_are(again, trace, f"{leading.layer}.weights[{leading.head},5,0]")


def type_in(page: Any, text: str) -> None:
    field = page.get_by_role("textbox", name="sentence")
    field.fill(text)
    field.press("Enter")


def test_a_change_runs_through_all_layers(host, visit):
    change = {"kind": "move", "cell": "layer3.weights[2,little,Once]", "value": 0.1}
    page = visit(linked(host, {**ENGLISH, "changes": [change]}))
    trace = regard.explain(ENGLISH["text"], ENGLISH["next"], "english").move(change["cell"], change["value"])
    numbers_are(page, trace, "after.loss")


def test_toys_read_words_that_they_were_not_built_with(host, visit):
    page = visit(linked(host, {"model": "fox", "text": "the naïve zebra", "next": "runs"}))
    numbers_are(page, regard.explain("the naïve zebra", "runs", "fox"), "layer0.weights[0,2,2]")


def test_lessons_are_there(host, visit):
    page = visit(f"{host}#page=lessons")
    page.get_by_role("link", name="Fox").or_(page.get_by_role("button", name="Fox")).first.wait_for()


def test_the_file_with_the_model_inside_reads_any_text_offline(visit, tmp_path):
    path = tmp_path / "english.html"
    assert (
        run(["export", ENGLISH["text"], "--next", "girl", "--model", "english", "--with-model", "-o", str(path)]) == 0
    )
    page = visit(path.as_uri())
    numbers_are(page, regard.explain(ENGLISH["text"], "girl", "english"), "layer5.weights[3,7,0]", "after.loss")
    type_in(page, "The old man")
    page.get_by_text("man", exact=True).first.wait_for()


def test_the_page_may_ask_nobody_else(folder):
    index = (folder / "index.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in index and "connect-src 'self'" in index and "worker-src 'self'" in index
    for other in ("unsafe-eval", "unsafe-inline", "http://", "https://", "blob:;"):
        assert other not in index.replace("img-src 'self' data: blob:;", "")


def test_an_old_site_is_replaced_and_nothing_else(folder, tmp_path, capsys):
    other = tmp_path / "site"
    other.mkdir()
    (other / "thesis.txt").write_text("mine")
    assert run(["site", str(other)]) != 0
    assert "thesis.txt" in capsys.readouterr().err
    assert [path.name for path in other.iterdir()] == ["thesis.txt"]
