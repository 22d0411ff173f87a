"""Numbers of the run before stay until those of the new one are there; meanwhile they are marked, for eyes and for
screen readers, wherever they are shown."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, Route, expect

FOX = {"model": "fox", "text": "The quick brown fox", "next": "jumps"}
ENGLISH = {"model": "english", "text": "Once upon a time there was a little", "next": "girl"}
MARKED = """(number) => {
  for (let node = number; node; node = node.parentElement)
    if (node.ariaBusy === "true" && getComputedStyle(node).opacity < 1) return true;
  return false;
}"""
# what is pressed is answered before the next frame, and in it nothing has been tried yet
PRESSED = """async (button) => {
  const numbers = () => [...document.querySelectorAll("[data-cell^='instead.']")];
  const wasMarked = numbers().some((number) => number.closest("[aria-busy=true]"));
  button.click();
  await new Promise(queueMicrotask);
  await new Promise(queueMicrotask);
  const areMarked = numbers().every((number) => number.closest("[aria-busy=true]"));
  return { wasMarked, areMarked, count: numbers().length, pressed: button.ariaPressed };
}"""


@contextmanager
def held(page: Page, question: str) -> Iterator[None]:
    """The server's answers to a question do not come before this is over."""
    waiting: list[Route] = []
    is_over = False

    def hold(route: Route) -> None:
        if is_over:
            route.continue_()
        else:
            waiting.append(route)

    page.route(f"**/api/{question}", hold)
    yield
    is_over = True
    for route in waiting:
        route.continue_()


def marked(page: Page, numbers: str) -> bool:
    place = page.locator(numbers).first
    expect(place).to_be_attached()
    return place.evaluate(MARKED)


def test_what_ifs_of_the_run_before_are_marked_at_once(opened):
    page = opened(urlencode(FOX))
    expect(page.locator("[data-cell^='instead.']").first).to_be_visible()
    found: dict[str, Any] = page.get_by_role("button", name="not at all").evaluate(PRESSED)
    assert found == {"wasMarked": False, "areMarked": True, "count": found["count"], "pressed": "true"}
    assert found["count"] > 1
    expect(page.locator("[data-cell^='instead.']").first).to_be_visible()
    expect(page.locator("dl[aria-busy=true]")).to_have_count(0)


@pytest.mark.parametrize(
    "scene, numbers",
    [
        (
            "explorer",
            [".outcome li [data-cell]", ".outcome .loss [data-cell]", ".map [data-cell]", "figure [data-cell]"],
        ),
        ("flow", [".says [data-cell]", "g.pair"]),
        ("opening", ["li.wins [data-cell]"]),
    ],
)
def test_numbers_are_marked_while_a_change_is_computed_elsewhere(opened, scene, numbers):
    page = opened(urlencode({**ENGLISH, "page": scene}))
    for one in numbers:
        assert not marked(page, one)
    with held(page, "explain"):
        page.evaluate("location.hash += '&mask=both'")
        page.wait_for_function("() => document.querySelector('[aria-busy=true] main')")
        assert all(marked(page, one) for one in numbers)
    page.wait_for_function("() => !document.querySelector('[aria-busy=true]:not(canvas)')")
    assert not any(marked(page, one) for one in numbers)


def test_the_flow_of_before_stays_marked_and_the_choice_keeps_its_focus(opened):
    page = opened(urlencode({**ENGLISH, "page": "flow"}))
    other = page.get_by_label("and not this one")
    expect(page.locator("g.pair").first).to_be_attached()
    before = page.locator("g.pair").count()
    with held(page, "lens"):
        other.focus()
        word = other.locator("option").nth(3).text_content()
        other.select_option(word)
        page.wait_for_function("() => document.querySelector('main > [aria-busy=true]')")
        assert page.locator("g.pair").count() == before
        assert marked(page, "g.pair")
        expect(other).to_be_focused()
    expect(page.locator("main > [aria-busy=true]")).to_have_count(0)
    expect(other).to_have_value(re.compile(f"^{re.escape(str(word))}$"))
    expect(other).to_be_focused()
