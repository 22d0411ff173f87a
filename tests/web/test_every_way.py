"""Every scene, in every way in which somebody may look at it: on a screen of any size, enlarged, on a phone, in the
dark, with and without motion, by mouse or finger, or with nothing but keys.

Here every pair of scene, size, light, motion and hand is tried; `make test-browser` tries all of them together.
"""

import itertools
import json
import os
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

FOX = {"model": "fox", "text": "The quick brown fox", "next": "jumps"}
ENGLISH = {"model": "english", "text": "Once upon a time there was a little", "next": "girl"}
SHARE = "layer0.weights[0,3,3]"
SETTLED = "() => !document.querySelector('[aria-busy=true]:not(canvas)')"
FOCUSED = "(node) => node === document.activeElement"
# a picture or a table is one stop of Tab, and its arrows lead on
IS_NEAR = """(node) => {
  if (node === document.activeElement) return true;
  const group = node.closest("figure, svg, .map");
  const [kind, other] = [node, document.activeElement].map((one) => Object.keys(one.dataset).join());
  return node.tabIndex < 0 && group !== null && group.contains(document.activeElement) && kind === other;
}"""
NEARER = """(node) => {
  const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")]
    .filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility());
  const after = (one, other) => one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
  const place = (one) => all.filter((other) => after(other, one)).length;
  const [from, to] = [document.activeElement, node].map(place);
  return (to - from + all.length) % all.length <= all.length / 2 ? "Tab" : "Shift+Tab";
}"""
WAY = """(node) => {
  const [to, from] = [node, document.activeElement].map((one) => one.getBoundingClientRect());
  if (Math.abs(to.top - from.top) > 2) return to.top > from.top ? "ArrowDown" : "ArrowUp";
  return to.left > from.left ? "ArrowRight" : "ArrowLeft";
}"""


class Mouse:
    """A hand at a mouse."""

    def __init__(self, page: Page):
        self.page = page

    def press(self, place: Locator) -> None:
        place.click()

    def go_to(self, stage: int) -> None:
        entry = self.page.get_by_label("the twelve stages").get_by_role("button", name=re.compile(f"^{stage}[A-Z]"))
        if entry.is_visible():
            self.press(entry)
        else:  # where there is little room, there is no row of stages: one scrolls
            self.page.locator(f"#stage-{stage}").evaluate("(stage) => stage.scrollIntoView()")

    def write(self, field: Locator, text: str) -> None:
        self.press(field)
        field.fill(text)
        self.page.keyboard.press("Enter")

    def less(self, slider: Locator, steps: int) -> None:
        """A tenth less, as often as said."""
        slider.focus()
        for _ in range(steps):
            self.page.keyboard.press("PageDown")

    def thin(self, grip: Locator) -> None:
        """A ribbon's edge is taken and pulled down."""
        grip.scroll_into_view_if_needed()
        box = grip.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.down(x, y)
        while float(grip.get_attribute("aria-valuenow") or "nan") > 0.2:
            y += 6
            self.move(x, y)
            self.page.evaluate("() => new Promise(requestAnimationFrame)")
        self.up()

    def down(self, x: float, y: float) -> None:
        self.page.mouse.move(x, y)
        self.page.mouse.down()

    def move(self, x: float, y: float) -> None:
        self.page.mouse.move(x, y)

    def up(self) -> None:
        self.page.mouse.up()


DOUBLE_TAP = 400  # ms within which a browser takes two touches for one gesture


class Finger(Mouse):
    """A finger on a phone."""

    def press(self, place: Locator) -> None:
        place.tap()

    def __init__(self, page: Page):
        super().__init__(page)
        self.glass = page.context.new_cdp_session(page)

    def _touch(self, kind: str, *points: tuple[float, float]) -> None:
        touched = [{"x": x, "y": y} for x, y in points]
        self.glass.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})

    def down(self, x: float, y: float) -> None:
        self._touch("touchStart", (x, y))

    def move(self, x: float, y: float) -> None:
        self._touch("touchMove", (x, y))

    def up(self) -> None:
        self._touch("touchEnd")
        self.page.wait_for_timeout(DOUBLE_TAP)  # no finger is back sooner, and what follows sooner is no tap of its own


class Keys(Mouse):
    """Nothing but keys: what is wanted is reached by Tab, within a picture or a table by arrows."""

    def reach(self, place: Locator) -> None:
        key = place.evaluate(NEARER)
        for _ in range(500):
            if place.evaluate(IS_NEAR):
                break
            self.page.keyboard.press(key)
        for _ in range(60):
            if place.evaluate(FOCUSED):
                return
            self.page.keyboard.press(place.evaluate(WAY))
        pytest.fail(
            f"keys do not reach {place}; the focus is at {self.page.evaluate('document.activeElement.outerHTML')}"
        )

    def press(self, place: Locator) -> None:
        self.reach(place)
        self.page.keyboard.press("Enter")

    def go_to(self, stage: int) -> None:
        for _ in range(stage - 1):
            self.page.keyboard.press("ArrowRight")

    def write(self, field: Locator, text: str) -> None:
        self.reach(field)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")

    def less(self, slider: Locator, steps: int) -> None:
        self.reach(slider)
        for _ in range(steps):
            self.page.keyboard.press("PageDown")

    def thin(self, grip: Locator) -> None:
        self.less(grip, 6)


Story = Callable[[Page, Mouse], None]


def opens_with(page: Page, said: str) -> None:
    expect(page.locator(".drawer .line").first).to_have_attribute("data-text", re.compile(said))
    page.keyboard.press("Escape")
    expect(page.locator(".drawer")).to_have_count(0)


def opening(page: Page, hand: Mouse) -> None:
    winner = page.locator("li.wins b")
    expect(winner).to_have_text("fox")
    hand.thin(page.get_by_role("slider", name=re.compile("^weight of fox;")))
    expect(winner).to_have_text("jumps")
    hand.press(page.get_by_role("button", name="put it back"))
    expect(winner).to_have_text("fox")


def tour(page: Page, hand: Mouse) -> None:
    hand.press(page.get_by_role("button", name="Follow one number"))
    bar = page.get_by_label("follow one number")
    if bar.get_by_role("button", name="pause").count():
        hand.press(bar.get_by_role("button", name="pause"))
    expect(bar.locator(".stage")).to_have_text("1 Embed")
    hand.press(bar.get_by_role("button", name="on", exact=True))
    expect(bar.locator(".stage")).to_have_text("2 Q·K·V")
    expect(page.locator("#stage-2")).to_be_in_viewport()
    hand.press(bar.get_by_role("button", name="stay here"))
    expect(bar).to_have_count(0)


def explorer(page: Page, hand: Mouse) -> None:
    hand.go_to(5)
    expect(page.locator("#stage-5")).to_be_in_viewport()
    hand.press(page.locator(f'figure[data-step="layer0.weights"] [data-cell="{SHARE}"]'))
    opens_with(page, re.escape("0.7500 = 2.0281 / 2.7042"))
    hand.press(page.get_by_role("button", name="×1", exact=True))
    expect(page.locator(".outcome strong")).to_have_text("jumps")
    expect(page.locator(".outcome strong")).to_be_in_viewport()


def english(page: Page, hand: Mouse) -> None:
    hand.press(page.locator('[data-head="2.1"]'))
    expect(page.locator("#head-title")).to_contain_text("layer 2 · head 1")
    expect(page.locator(".outcome strong")).to_have_text("girl")


def typed(page: Page, hand: Mouse) -> None:
    hand.press(page.get_by_role("button", name="Type your own"))
    field = page.get_by_role("textbox", name="sentence")
    expect(field).to_be_focused()
    hand.write(field, "The cat sat on the")
    expect(page.locator(".outcome .token")).to_have_text(["The", "cat", "sat", "on", "the"])
    expect(page.locator(".outcome strong")).not_to_be_empty()


def flow(page: Page, hand: Mouse) -> None:
    ribbon = page.locator('g.pair[data-cell="layer5.flow.pairs[7,4]"]')
    expect(ribbon).to_be_attached()
    if isinstance(hand, Keys):
        hand.press(ribbon)
    else:
        ribbon.locator("path").first.dispatch_event("click")  # its middle is not on it: it is bent
    hand.press(page.get_by_role("button", name="cut it and see what really happens"))
    expect(page.locator(".cut [data-cell$='.lost']")).to_be_visible()


def compare(page: Page, hand: Mouse) -> None:
    says = page.locator("h2", has_text="says")
    expect(says).to_contain_text("① says jumps, ② says fox")
    hand.press(page.locator('[data-cell="difference.weights[3,3]"]'))
    opens_with(page, r"^-0\.55\d* = 0\.20\d* [-−] 0\.75")
    hand.press(page.get_by_role("button", name="swap"))
    expect(says).to_contain_text("① says fox, ② says jumps")


def gravity(page: Page, hand: Mouse) -> None:
    expect(page.locator("[data-end]")).to_have_count(3)
    way = page.locator("article [data-way]")
    before = way.get_attribute("data-way")
    hand.less(page.get_by_label("the share of the second sentence"), 2)
    expect(way).not_to_have_attribute("data-way", str(before))
    hand.press(page.locator("article tbody [data-cell]").first)
    opens_with(page, "=")


def lesson(page: Page, hand: Mouse) -> None:
    hand.press(page.get_by_role("button", name=re.compile("^The quick brown fox jumps")))
    expect(page.locator("#card-title")).to_be_visible()
    hand.press(page.get_by_role("button", name=re.compile("^card 3: ")))
    expect(page.locator("#card-title")).to_have_text("Which word?")
    hand.press(page.locator(".choice", has_text=re.compile("^fox$")))
    expect(page.locator(".verdict b")).to_contain_text("Right")


def vectors(page: Page, hand: Mouse) -> None:
    expect(page.locator(".answer")).to_contain_text("woman is to queen")
    hand.write(page.get_by_role("combobox", name="a word, or a sum of words"), "apple")
    expect(page.locator("[data-cell^='near']").first).to_be_attached()
    expect(page.get_by_text("nearest to apple")).to_be_visible()
    hand.press(page.locator("tbody [data-cell]").first)
    opens_with(page, "=")


def reading(page: Page, hand: Mouse) -> None:
    hand.press(page.get_by_role("button", name="an example"))
    hand.press(page.get_by_role("button", name="read it"))
    wrong = page.locator("button.mark.fails")
    expect(wrong).to_have_text(["1.5"])
    hand.press(wrong)
    expect(page.get_by_label("arithmetic")).to_contain_text("1.386")


def making(page: Page, hand: Mouse) -> None:
    hand.press(page.get_by_role("button", name="write it by hand"))
    hand.press(page.get_by_role("button", name="open it"))
    expect(page.get_by_label("sentence", exact=True)).to_have_value("the small cat")
    expect(page.locator(".outcome strong")).not_to_be_empty()


def sources(page: Page, hand: Mouse) -> None:
    expect(page.locator(".claims li")).to_have_count(0)
    hand.press(page.get_by_role("switch", name="sources"))
    page.locator("body").press("Home")
    page.wait_for_function("() => scrollY === 0")
    expect(page.locator("nav[aria-label='the twelve stages'] [aria-current=step]")).to_have_text(re.compile(r"^\s*1\D"))
    hand.go_to(5)
    expect(page.locator(".claims li").first).to_be_visible()


MOVED = json.dumps([{"kind": "move", "cell": SHARE, "value": 0.2}])
APPLE = {
    "page": "gravity",
    "model": "fruit-or-company",
    "text": "I bought an apple and an orange",
    "word": "apple",
    "also": '["Apple unveiled a new phone"]',
    "share": "0.75",
}
# what is opened, and what is done there
STORIES: dict[str, tuple[Mapping[str, Any], Story]] = {
    "opening": ({"page": "opening"}, opening),
    "tour": ({"page": "opening"}, tour),
    "explorer": (FOX, explorer),
    "english": (ENGLISH, english),
    "type your own": ({"page": "opening"}, typed),
    "flow": ({**ENGLISH, "page": "flow"}, flow),
    "compare": ({**FOX, "changes": MOVED, "page": "compare"}, compare),
    "gravity": (APPLE, gravity),
    "lessons": ({"page": "lessons"}, lesson),
    "vectors": ({"page": "vectors"}, vectors),
    "read": ({"page": "read"}, reading),
    "make": ({"page": "train"}, making),
    "sources": (FOX, sources),
}
# 200 % of 1280 × 800 leaves half as many points each way, twice as fine
SIZES: dict[str, dict[str, Any]] = {
    "1280 × 800": {"width": 1280, "height": 800},
    "1440 × 900": {"width": 1440, "height": 900},
    "800": {"width": 800, "height": 900},
    "375": {"width": 375, "height": 812, "has_touch": True, "is_mobile": True},
    "200 %": {"width": 640, "height": 400, "device_scale_factor": 2},
}
LIGHTS = ("light", "dark")
MOTIONS = ("reduce", "no-preference")
HANDS = ("pointer", "keys")
FACTORS: list[Sequence[str]] = [list(STORIES), list(SIZES), LIGHTS, MOTIONS, HANDS]

Pair = tuple[tuple[int, Hashable], tuple[int, Hashable]]


def pairs_of(way: Sequence[str]) -> set[Pair]:
    return set(itertools.combinations(enumerate(way), 2))  # pyright: ignore[reportReturnType]


def every_pair(factors: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Few combinations in which each two choices of different factors meet: the one that brings most new pairs, next."""
    left = list(itertools.product(*factors))
    wanted = set[Pair]().union(*map(pairs_of, left))
    chosen: list[tuple[str, ...]] = []
    while wanted:
        best = max(left, key=lambda way: len(pairs_of(way) & wanted))
        chosen.append(best)
        wanted -= pairs_of(best)
    return chosen


WAYS = list(itertools.product(*FACTORS)) if os.environ.get("REGARD_WAYS") == "all" else every_pair(FACTORS)


@pytest.mark.parametrize("story, size, light, motion, hand", WAYS)
def test_a_scene_is_used(story, size, light, motion, hand, opened):
    state, told = STORIES[story]
    settings = SIZES[size]
    page = opened(urlencode(state), color_scheme=light, reduced_motion=motion, **settings)
    page.wait_for_function(SETTLED)
    pointer = Finger if "has_touch" in settings else Mouse
    told(page, Keys(page) if hand == "keys" else pointer(page))
    page.wait_for_function(SETTLED)
    assert page.evaluate("document.documentElement.scrollWidth") <= settings["width"], "it scrolls sideways"


def test_every_pair_is_among_the_ways():
    met = set[Pair]().union(*map(pairs_of, every_pair(FACTORS)))
    assert met == set[Pair]().union(*map(pairs_of, itertools.product(*FACTORS)))
