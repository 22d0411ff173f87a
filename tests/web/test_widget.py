"""The widget's page in Chromium, loaded as anywidget loads it, with the real Python behind it."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import regard

pytest.importorskip("anywidget")
from regard.notebook import Shown, show

GUARD = 60_000
# anywidget's model, as small as it can be: traits, listeners, messages; `saved` and `asked` lead to Python
PAGE = """<!doctype html><meta charset="utf-8"><style></style><div id="output"></div><script type="module">
const held = await (await fetch("/state")).json();
const listeners = new Map();
const tell = (event, ...came) => (listeners.get(event) ?? []).forEach((callback) => callback(...came));
window.changed = (name, value) => { held[name] = value; tell(`change:${name}`); };
window.answered = (message) => tell("msg:custom", message);
const model = {
  get: (name) => held[name], set: (name, value) => void (held[name] = value),
  on: (event, callback) => void listeners.set(event, [...(listeners.get(event) ?? []), callback]),
  off: (event, callback) => void listeners.set(event, (listeners.get(event) ?? []).filter((one) => one !== callback)),
  // a notebook copies what is saved, and only plain data can be copied
  save_changes: () => void window.saved(JSON.stringify(structuredClone({ state: held.state, view: held.view }))),
  send: (message) => void window.asked(JSON.stringify(message)),
};
document.querySelector("style").textContent = held._css;
const address = URL.createObjectURL(new Blob([held._esm], { type: "text/javascript" }));
const { default: widget } = await import(address);
window.end = widget.render({ model, el: document.getElementById("output") });
</script>"""


@pytest.fixture
def notebook(browser) -> Iterator[Callable[[Shown], Any]]:
    problems: list[str] = []
    contexts: list[Any] = []

    def go(widget: Shown) -> Any:
        context = browser.new_context(viewport={"width": 1100, "height": 900}, reduced_motion="reduce")
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(GUARD)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
        state = json.dumps({name: value for name, value in widget.get_state().items() if name != "layout"})

        def served(route: Any) -> None:
            path = route.request.url.removeprefix("http://notebook.test")
            body = {"/": PAGE, "/state": state}.get(path)
            if body is None:
                problems.append(f"asked for {route.request.url}")
                route.abort()
            else:
                route.fulfill(body=body, content_type="text/html" if path == "/" else "application/json")

        page.route(lambda url: not url.startswith("blob:"), served)
        widget.send = lambda content, buffers=None: page.evaluate("(message) => answered(message)", content)
        waiting: list[dict] = []
        page.expose_function("saved", lambda told: widget.set_state(json.loads(told)))
        page.expose_function("asked", lambda question: waiting.append(json.loads(question)))
        page.goto("http://notebook.test/")

        def answer() -> None:
            """What the kernel does when it is idle: take the questions that came."""
            page.wait_for_timeout(50)
            while waiting:
                widget._handle_custom_msg(waiting.pop(0), [])
                page.wait_for_timeout(20)

        page.answer = answer
        return page

    yield go
    for context in contexts:
        context.close()
    assert not problems, problems


def until(page: Any, script: str) -> None:
    """Wait for something on the page, answering what it asks meanwhile."""
    for _ in range(GUARD // 100):
        page.answer()
        if page.evaluate(script):
            return
    raise AssertionError(f"never came true: {script}")


def opened_whole(page: Any) -> None:
    """A cell's output opens as the compact scene; a button leads to everything."""
    until(page, "document.querySelector('#output.regard [role=slider]') !== null")
    page.get_by_role("button", name="everything").click()


def test_a_cell_opens_as_the_compact_scene_and_a_ribbon_is_dragged_there(notebook):
    widget = show(regard.explain("The quick brown fox", next="jumps", model="fox"))
    page = notebook(widget)
    until(page, "document.querySelector('[role=slider]') !== null")
    assert page.locator("#output").bounding_box()["height"] <= 440
    assert page.locator("#output h1, #output nav, #output .pill").all_inner_texts() == ["everything …"]
    page.locator('[data-cell="layer0.weights[0,3,3]"]').first.click()
    page.locator('.drawer .line[data-text="0.7500 = 2.0281 / 2.7042"]').wait_for()
    page.keyboard.press("Escape")
    page.locator("[role=slider]").last.focus()
    for _ in range(6):
        page.keyboard.press("PageDown")
    until(page, "document.querySelector('li.wins b').innerText === 'jumps'")
    assert widget.trace.predicted == "jumps"
    assert page.locator("#output").bounding_box()["height"] <= 440
    widget.selection = {"stage": 5}  # Python asks for more than it shows
    page.evaluate("(view) => changed('view', view)", widget.view)
    until(page, "document.querySelector('#stage-5') !== null")


def test_a_toy_in_a_notebook_is_live_and_in_step_with_python(notebook):
    widget = show(regard.explain("The quick brown fox", next="jumps", model="fox"))
    page = notebook(widget)
    opened_whole(page)
    assert page.inner_text(".summary strong") == "fox"
    # Python selects, the page shows it
    widget.selection = {"cell": "weights[fox,fox]", "query": "fox"}
    page.evaluate("(view) => changed('view', view)", widget.view)
    page.locator('.drawer .line[data-text="0.7500 = 2.0281 / 2.7042"]').wait_for()
    # the page changes a number, Python has it
    page.locator(".drawer .buttons button", has_text="edit").click()
    page.locator(".drawer input").fill("0.05")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('.summary strong').innerText === 'jumps'")
    assert widget.trace.predicted == "jumps" and widget.trace["weights[fox,fox]"] == 0.05
    # the page selects, Python reads it
    page.locator(".tokens button", has_text="brown").click()
    until(page, "document.querySelector('.token.row').innerText.startsWith('brown')")
    assert widget.selection["query"] == "brown"
    # Python changes the state, the page follows
    widget.state = {**widget.state, "changes": [{"kind": "update", "rate": 0.1}]}
    page.evaluate("(state) => changed('state', state)", widget.state)
    until(page, "document.querySelector('.banner')?.innerText.includes('1 update')")
    shown = float(page.get_attribute('[data-cell="loss"]', "data-value") or "nan")
    assert shown == pytest.approx(float(widget.trace.array("loss")), rel=1e-12)
    page.evaluate("end()")
    assert page.inner_text("#output") == ""


def test_a_deep_run_in_a_notebook_is_answered_by_python(notebook):
    widget = show(regard.explain("Once upon a time there was", model="english"))
    page = notebook(widget)
    opened_whole(page)
    until(page, "document.querySelectorAll('[data-head]').length === 30")
    page.click('[data-head="3.1"]')
    until(page, "document.querySelector('[data-cell=\"layer3.weights[1,5,0]\"]') !== null")
    trace = widget.trace
    shown = float(page.get_attribute('[data-cell="layer3.weights[1,5,0]"]', "data-value") or "nan")
    assert shown == trace["layer3.weights[1,5,0]"]
    page.click('[data-cell="layer3.weights[1,5,0]"]')
    until(page, "document.querySelector('.drawer .line') !== null")
    text = page.get_attribute(".drawer .line", "data-text")
    assert text == trace.why("layer3.weights[1,5,0]").text()
    page.locator(".drawer .buttons button", has_text="edit").click()
    page.locator(".drawer input").fill("0")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('.banner') !== null")
    assert widget.trace["layer3.weights[1,5,0]"] == 0.0
    assert widget.selection["layer"] == 3 and widget.selection["head"] == 1
    assert page.inner_text(".sentence b") == "Once upon a time there was"  # it shows one run
