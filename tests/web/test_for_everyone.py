"""The page for everyone: read aloud, by keys alone, without motion, in the dark, on a narrow screen."""

from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

FOX = urlencode({"model": "fox", "text": "The quick brown fox", "next": "jumps", "backward": 1})
CELL = "layer0.weights[0,3,3]"
SETTLED = "() => !document.querySelector('[aria-busy=true]:not(canvas)')"
EDITED = '[{"kind":"edit","cell":"layer0.weights[0,3,3]","value":0.2},{"kind":"update","rate":0.1}]'
SCREENS = {
    "opening": "page=opening",
    "opening, dragged, a number open": urlencode(
        {
            "page": "opening",
            "changes": '[{"kind":"move","cell":"layer0.weights[0,3,3]","value":0.2}]',
            "model": "fox",
            "text": "The quick brown fox",
            "next": "jumps",
            "cell": CELL,
        }
    ),
    "fox": FOX,
    "fox, edited, with the drawer": f"{FOX}&{urlencode({'cell': CELL, 'changes': EDITED, 'stage': 5})}",
    "two heads": urlencode({"model": "two-heads", "tab": "code"}),
    "untrained": urlencode({"model": "untrained", "columns": 1, "tab": "numbers"}),
    "deep": urlencode({"model": "english", "cell": "layer5.weights[3,7,0]"}),
    "long": urlencode({"model": "english", "text": "the cat sat on the mat . " * 12}),
    "lessons": urlencode({"page": "lessons"}),
    "a card": urlencode({"lesson": "fox", "card": 3}),
    "a card, shown": urlencode({"lesson": "two-heads", "card": 4, "revealed": 2}),
    "gravity": urlencode(
        {"page": "gravity", "model": "fruit-or-company", "word": "apple", "also": '["Apple unveiled a phone"]'}
    ),
    "vectors": urlencode({"page": "vectors", "cell": "near1197-441+895.cosine[queen]", "of": "king − man + woman"}),
    "compared": urlencode({"page": "compare", "model": "english", "cell": "difference.weights[7,0]", "of": "①②"}),
    "flow": urlencode({"page": "flow", "model": "english"}),
    "read": urlencode({"page": "read"}),
    "make": urlencode({"page": "train"}),
    "nothing to show": urlencode({"model": "nobody", "text": "hello"}),
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_serious_is_found_by_axe(screen, scheme, opened):
    page = opened(SCREENS[screen], color_scheme=scheme)
    page.wait_for_function(SETTLED)
    if "cell=" in SCREENS[screen]:
        page.wait_for_selector(".drawer [data-why]")
    meant = {"exclude": [[".dim"]]}  # a lesson dims what is not meant; pointing there or going there by keys lights it
    found = Axe().run(page, meant, options={"resultTypes": ["violations"]}).response["violations"]
    serious = [
        f"{one['id']}: {one['help']}: {node['html'][:160]} {node['any'][0]['message'] if node['any'] else ''}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:4]
    ]
    assert not serious, "\n".join(serious)
    if screen == "nothing to show":
        opened.problems.clear()  # the refused request is in the browser's console, as it should be


@pytest.mark.parametrize("width", [800, 375])  # test_every_way.py has the others
@pytest.mark.parametrize("screen", [name for name in SCREENS if name != "nothing to show"])
def test_nothing_makes_the_page_scroll_sideways(screen, width, opened):
    page = opened(SCREENS[screen], width=width)
    page.wait_for_function(SETTLED)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_below_800_pixels_there_is_one_column(opened):
    page = opened(FOX, width=800)
    computation, why = page.locator("main").bounding_box(), page.locator(".why").bounding_box()
    assert why["y"] >= computation["y"] + computation["height"]
    assert computation["width"] > 700


MOVING = """() => {
  const takesTime = (times) => times.split(",").some((time) => parseFloat(time) > 0.01);
  const moves = (node) => [null, "::before", "::after"].some((part) => {
    const style = getComputedStyle(node, part);
    return takesTime(style.transitionDuration) || takesTime(style.animationDuration);
  });
  return document.getAnimations().length + [...document.querySelectorAll(".regard, .regard *")].filter(moves).length;
}"""
FOCUSED = """() => {
  const node = document.activeElement, style = getComputedStyle(node), box = node.getBoundingClientRect();
  const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  const isFree = node === document.body || there === null || node.contains(there) || there.contains(node);
  return [node.outerHTML.slice(0, 120), style.outlineStyle !== "none" || style.boxShadow !== "none", isFree];
}"""


def test_nothing_moves_for_those_who_asked_for_that(opened):
    calm = opened(FOX, reduced_motion="reduce")
    assert calm.evaluate(MOVING) == 0
    calm.keyboard.press("ArrowRight")
    calm.keyboard.press("ArrowRight")
    expect(calm.locator("#stage-3")).to_be_in_viewport()
    lively = opened(FOX, reduced_motion="no-preference")
    assert lively.evaluate(MOVING) > 0  # the check can fail


def test_every_focus_can_be_seen(opened):
    page = opened(FOX)
    page.keyboard.press("Tab")
    seen = 0
    for _ in range(60):
        node, has_ring, is_free = page.evaluate(FOCUSED)
        assert has_ring, f"no focus ring: {node}"
        assert is_free, f"the focus is hidden behind something: {node}"
        seen += 1
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            break
    assert seen > 25


def test_light_and_dark_are_switched_by_hand(opened):
    page = opened(FOX, color_scheme="light")
    paper = "getComputedStyle(document.querySelector('.regard')).backgroundColor"
    light = page.evaluate(paper)
    page.get_by_role("button", name="light or dark").click()
    assert page.evaluate(paper) != light
    page.get_by_role("button", name="light or dark").click()
    assert page.evaluate(paper) == light


def test_what_an_action_did_is_read_aloud(opened):
    page = opened()
    page.get_by_role("button", name="×1", exact=True).click()
    expect(page.locator("[aria-live=polite]", has_text="1 updates, predicts jumps")).to_have_count(1)
