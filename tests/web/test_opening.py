"""The opening scene: somebody looks for five seconds, drags one ribbon, and sees the next word change."""

import re
from urllib.parse import parse_qs, urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

import regard

OPENING = "page=opening"
FLIPPED = "fox listens less to itself: the next word flips from fox to jumps."
CELLS = """() => [...document.querySelectorAll("[data-cell]")].map(
    (one) => [one.dataset.cell, Number(one.dataset.value), one.innerText.trim()])"""


def ribbon(page: Page, word: str) -> Locator:
    return page.get_by_role("slider", name=re.compile(f"^weight of {word};"))


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def winner(page: Page) -> Locator:
    return page.locator("li.wins b")


def door_of(page: Page, name: str) -> Locator:
    return page.get_by_label("where to go from here").get_by_role("button", name=name)


def dragged(page: Page, word: str, by: float) -> None:
    x, y = middle(ribbon(page, word))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + by / 2, steps=4)
    page.mouse.move(x, y + by, steps=4)
    page.mouse.up()


def test_nothing_in_the_address_is_the_opening_scene_and_a_run_without_a_scene_the_explorer(opened):
    page = opened("")
    expect(page.get_by_role("heading", name="Attention decides who listens to whom.")).to_be_visible()
    expect(winner(page)).to_have_text("fox")
    explorer = opened(urlencode({"model": "fox", "text": "The quick brown fox", "next": "jumps"}))
    expect(explorer.locator("#stage-5")).to_be_attached()


@pytest.mark.parametrize("width, height", [(1280, 800), (1440, 900)])
def test_all_of_it_is_seen_without_scrolling(opened, width, height):
    page = opened(OPENING, width=width, height=height)
    expect(ribbon(page, "fox")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollHeight") <= height
    for door in ("Follow one number", "Type your own", "Lessons"):
        expect(door_of(page, door)).to_be_in_viewport(ratio=1)


def test_the_edge_of_a_ribbon_stays_under_the_hand_and_the_next_word_flips(opened):
    page = opened(OPENING)
    x, y = middle(ribbon(page, "fox"))
    page.mouse.move(x, y)
    page.mouse.down()
    for by in (40, 90, 165):
        page.mouse.move(x, y + by, steps=3)
        expect(ribbon(page, "fox")).not_to_have_attribute("aria-valuetext", "75.0 %")
        page.wait_for_function(
            "([id, y]) => { const box = document.getElementById(id).getBoundingClientRect();"
            " return Math.abs(box.y + box.height / 2 - y) < 1.5; }",
            arg=["ribbon-3", y + by],
        )
    page.mouse.up()
    expect(winner(page)).to_have_text("jumps")
    expect(page.locator(".told")).to_contain_text(FLIPPED)
    assert page.locator(".ghost").count() >= 5, "one ribbon and four bars as they were"
    page.get_by_role("button", name="put it back").click()
    expect(winner(page)).to_have_text("fox")
    expect(page.locator(".ghost")).to_have_count(0)
    expect(page.locator(".told")).to_contain_text("fox listens most to itself, 75 %, and the next word is fox.")


def test_every_number_of_it_is_the_traces_number_before_and_after_a_drag(opened):
    page = opened(OPENING)
    expect(winner(page)).to_have_text("fox")
    trace = regard.explain("The quick brown fox", next="jumps")
    for changed in (False, True):
        if changed:
            dragged(page, "fox", 165)
            expect(winner(page)).to_have_text("jumps")
            trace = trace.move("weights[fox,fox]", float(ribbon(page, "fox").get_attribute("aria-valuenow") or "nan"))
        cells = page.evaluate(CELLS)
        assert {key for key, *_ in cells} >= {
            *(f"layer0.weights[0,3,{word}]" for word in range(4)),
            *(f"probabilities[{word}]" for word in range(4)),
        }
        for key, value, text in cells:
            assert value == pytest.approx(float(trace[key]), rel=1e-12), key
            decimals = len(text.removesuffix(" %").partition(".")[2])
            assert text == f"{100 * value:.{decimals}f} %", key


def test_keys_move_a_ribbon_undo_it_and_do_it_again(opened):
    page = opened(OPENING)
    ribbon(page, "fox").focus()
    for _ in range(6):
        page.keyboard.press("PageDown")
    expect(ribbon(page, "fox")).to_have_attribute("aria-valuetext", "15.0 %")
    expect(winner(page)).to_have_text("jumps")
    page.keyboard.press("Control+z")
    expect(winner(page)).to_have_text("fox")
    expect(ribbon(page, "fox")).to_have_attribute("aria-valuetext", "75.0 %")
    page.keyboard.press("Control+Shift+z")
    expect(winner(page)).to_have_text("jumps")


def test_each_drag_is_undone_by_itself(opened):
    page = opened(OPENING)
    dragged(page, "fox", 60)
    expect(ribbon(page, "fox")).not_to_have_attribute("aria-valuetext", "75.0 %")
    first = ribbon(page, "fox").get_attribute("aria-valuetext")
    dragged(page, "fox", 90)
    expect(ribbon(page, "fox")).not_to_have_attribute("aria-valuetext", str(first))
    page.keyboard.press("Control+z")
    expect(ribbon(page, "fox")).to_have_attribute("aria-valuetext", str(first))
    page.keyboard.press("Control+z")
    expect(ribbon(page, "fox")).to_have_attribute("aria-valuetext", "75.0 %")


def test_a_finger_moves_it_too(opened):
    page = opened(OPENING, width=375, height=812, has_touch=True, is_mobile=True)
    x, y = middle(ribbon(page, "fox"))
    touch = page.context.new_cdp_session(page)
    for kind, by in [("touchStart", 0), *(("touchMove", by) for by in range(10, 131, 10)), ("touchEnd", None)]:
        points = [] if by is None else [{"x": x, "y": y + by}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(winner(page)).to_have_text("jumps")
    assert page.evaluate("document.documentElement.scrollWidth") <= 375


def test_a_number_opens_where_it_stands(opened):
    page = opened(OPENING)
    page.locator('[data-cell="layer0.weights[0,3,3]"]').first.click()
    expect(page.locator(".drawer .line").first).to_have_attribute("data-text", "0.7500 = 2.0281 / 2.7042")
    page.keyboard.press("Escape")
    expect(page.locator(".drawer")).to_have_count(0)


def test_back_and_forward_walk_through_what_was_done(opened):
    page = opened(OPENING)
    expect(page).to_have_url(re.compile("page=opening"))
    dragged(page, "fox", 165)
    expect(page).to_have_url(re.compile("changes="))
    page.get_by_role("button", name="explore", exact=True).click()
    page.wait_for_function("() => !location.hash.includes('page=')")
    page.go_back()
    expect(winner(page)).to_have_text("jumps")
    page.go_back()
    expect(winner(page)).to_have_text("fox")
    assert "changes" not in parse_qs(page.url.partition("#")[2])
    page.go_forward()
    expect(winner(page)).to_have_text("jumps")
    page.go_forward()
    expect(page.locator("#stage-5")).to_be_attached()


def test_the_doors_lead_somewhere(opened):
    page = opened(OPENING)
    door_of(page, "Lessons").click()
    expect(page.get_by_role("heading", name="Lessons")).to_be_visible()
    page.get_by_role("button", name="regard", exact=True).click()
    door_of(page, "Type your own").click()
    expect(page.get_by_role("textbox", name="sentence")).to_be_focused()
    expect(page.get_by_role("combobox", name="model")).to_have_value("english")


def test_a_percentage_stands_beside_its_word_however_short_its_bar(opened):
    page = opened(
        urlencode({"model": "english", "text": "Once upon a time there was a little girl", "page": "opening"})
    )
    expect(winner(page)).not_to_be_empty()
    rows = page.locator("li:has([data-cell])")
    assert rows.count() == 5
    for row in rows.all():
        number, word = row.locator("[data-cell]").bounding_box(), row.locator("b").bounding_box()
        assert number is not None and word is not None
        assert number["x"] + number["width"] <= word["x"]
    widths = [row.locator(".bar").bounding_box()["width"] for row in rows.all()]
    assert min(widths) < 20, "one of the bars is shorter than its number"
