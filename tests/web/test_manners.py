"""Manners of the page: it stays where one is, forgets nothing that was done, and says what it could not do."""

import json
import re
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

import regard

FOX = {"model": "fox", "text": "The quick brown fox", "next": "jumps"}
ENGLISH = {"model": "english", "text": "Once upon a time there was a little", "next": "girl"}
STAGE = "nav[aria-label='the twelve stages'] [aria-current=step]"


def test_a_link_opens_at_its_stage(opened):
    page = opened(urlencode({**FOX, "stage": 9}))
    expect(page.locator("#stage-9")).to_be_in_viewport()
    expect(page.locator(".panel h2")).to_contain_text("Predict")
    expect(page.locator(".outcome strong")).to_be_in_viewport()


def test_the_outcome_never_leaves_the_screen(opened):
    page = opened()
    for stage in (1, 5, 11):
        page.get_by_label("the twelve stages").get_by_role("button", name=re.compile(f"^{stage}[A-Z]")).click()
        expect(page.locator(f"#stage-{stage}")).to_be_in_viewport()
        expect(page.locator(".outcome strong")).to_be_in_viewport(ratio=1)
        expect(page.locator(".outcome .loss")).to_be_in_viewport(ratio=1)


def test_no_change_takes_the_panel_to_another_stage(opened):
    page = opened(urlencode({**FOX, "stage": 5}))
    expect(page.locator("#stage-5")).to_be_in_viewport()
    slider = page.get_by_role("slider", name="weight of fox")
    slider.focus()
    for key in ("PageDown", "PageDown", "Control+z", "Control+Shift+z"):
        page.keyboard.press(key)
    page.get_by_role("button", name="×10", exact=True).click()
    expect(page.locator(".banner")).to_contain_text("10 updates learned")
    expect(page.locator(STAGE)).to_have_text(re.compile("5Weights"))
    expect(page.locator(".panel h2")).to_contain_text("Weights")


def test_a_click_at_the_foot_of_the_page_scrolls_nothing(opened):
    page = opened(urlencode({**FOX, "stage": 10}))
    expect(page.locator(STAGE)).to_have_text(re.compile("10Loss"))
    expect(page.locator("#stage-10")).to_be_in_viewport()
    page.get_by_role("button", name="×10", exact=True).click()
    expect(page.locator(".banner")).to_contain_text("10 updates learned")
    expect(page.locator(STAGE)).to_have_text(re.compile("10Loss"))
    expect(page.locator("#stage-10 h2")).to_be_in_viewport()


def test_no_verdict_of_a_document_holds_for_a_run_that_was_changed(opened):
    page = opened(urlencode({**FOX, "stage": 5}))
    claims = page.locator(".claims")
    claims.get_by_role("switch", name="sources").click()
    expect(claims).to_contain_text("exact")
    page.get_by_role("button", name="×1", exact=True).click()
    expect(claims).to_contain_text("They speak of the untouched run")
    for verdict in claims.locator("em").all():
        expect(verdict).to_contain_text("untouched")


def test_one_word_does_not_throw_the_switch_of_the_bias(opened):
    page = opened(urlencode({"model": "fox", "text": "fox"}))
    expect(page.get_by_role("button", name="is added")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("button", name="is left out")).to_have_attribute("aria-pressed", "false")


def test_small_numbers_are_powers_of_ten_only_where_exact_digits_are_asked_for(opened):
    changes = '[{"kind":"update","rate":0.1,"times":1000}]'
    page = opened(urlencode({**FOX, "changes": changes}))
    powers = page.locator("main [data-cell]").filter(has_text=re.compile(r"\de[-+]\d"))
    expect(page.locator(".banner")).to_contain_text("1,000 updates learned")
    expect(powers).to_have_count(0)
    page.get_by_label("settings").click()
    page.get_by_role("switch", name="exact").click()
    expect(powers).not_to_have_count(0)
    page.wait_for_url(re.compile("exact=1"))


SMALL = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const [text, place] = [node.nodeValue.trim(), node.parentElement];
    if (!text || place.closest(".sr, .katex, style, script, title") || !place.getBoundingClientRect().width) continue;
    const isSentence = text.split(/\\s+/).length > 10 && !place.closest("small, .shapes, .keys");
    const size = parseFloat(getComputedStyle(place).fontSize);
    // a keyboard's hint, shapes and sources are labels; a number in a cell may be as small as the cell
    if (size < (isSentence ? 15 : 13) && !place.closest("svg, td, small:has([data-cell]), td small, figure small"))
      found.push(`${size} px: ${text.slice(0, 60)}`);
  }
  return found;
}"""
READ = ["page=opening", "model=fox", urlencode(ENGLISH), urlencode({**ENGLISH, "page": "flow"})]


@pytest.mark.parametrize("scene", [*READ, "page=gravity", "page=vectors", "page=lessons", "lesson=fox"])
def test_sentences_have_15_pixels_and_labels_13(opened, scene):
    page = opened(scene)
    page.wait_for_function("() => !document.querySelector('[aria-busy=true]:not(canvas)')")
    expect(page.locator("main button").first).to_be_visible()
    assert page.evaluate(SMALL) == []


def test_a_word_that_occurs_twice_has_its_place_below_the_line(opened):
    page = opened(urlencode({**ENGLISH, "page": "flow"}))
    expect(page.get_by_text("a₂", exact=True).first).to_be_visible()
    assert "a@2" not in page.inner_text("main")


OVERPRINTED = """(within) => {
  const texts = (one) => {
    const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT), range = document.createRange(), found = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.nodeValue.trim() || node.parentElement.closest("title")) continue;
      range.selectNodeContents(node);
      found.push({ one, box: range.getBoundingClientRect() });
    }
    return found;
  };
  const all = [...document.querySelectorAll(within)].flatMap(texts);
  return all.some((a, i) => all.slice(i + 1).some((b) => a.one !== b.one
    && a.box.left < b.box.right - 1 && b.box.left < a.box.right - 1
    && a.box.top < b.box.bottom - 2 && b.box.top < a.box.bottom - 2));
}"""


def test_no_text_is_printed_over_another_in_the_loss_and_its_curve(opened):
    for times in (1, 3, 40):
        changes = f'[{{"kind":"update","rate":0.1,"times":{times}}}]'
        page = opened(urlencode({**FOX, "stage": 10, "changes": changes}))
        expect(page.locator("[data-flip]")).to_have_count(1)
        assert not page.evaluate(OVERPRINTED, ".curve text")
        assert not page.evaluate(OVERPRINTED, "#stage-10 .loss, #stage-10 .mark")


SIGNED = """(step) => [...document.querySelectorAll(`figure[data-step="${step}"] .cell`)].map(
    (cell) => [Number(cell.dataset.value), getComputedStyle(cell).backgroundColor])"""


def test_a_score_below_zero_is_not_drawn_as_if_it_were_large(opened):
    page = opened(urlencode({**FOX, "stage": 4}))
    page.wait_for_selector('figure[data-step="layer0.biased"] .cell')
    cells = page.evaluate(SIGNED, "layer0.biased")
    above = {colour for value, colour in cells if value > 0}
    below = {colour for value, colour in cells if value < 0}
    hue = """(colours) => colours.map((colour) => {
      const brush = document.createElement("canvas").getContext("2d");
      brush.fillStyle = colour; brush.fillRect(0, 0, 1, 1);
      const [red, green, blue] = brush.getImageData(0, 0, 1, 1).data;
      return Math.sign(red - blue) * (Math.abs(red - blue) > 12 ? 1 : 0);
    })"""
    assert set(page.evaluate(hue, sorted(below))) == {1}, "below zero: towards red"
    assert 1 not in page.evaluate(hue, sorted(above))


def test_the_rail_names_only_what_is_there(opened):
    page = opened(urlencode({"model": "matrix"}))
    page.wait_for_selector("#stage-5")
    rail = page.get_by_label("the twelve stages").get_by_role("button")
    named = [int(re.match(r"\d+", text.strip())[0]) for text in rail.all_inner_texts()]  # pyright: ignore
    assert 3 not in named and named == [number for number in range(1, 13) if page.locator(f"#stage-{number}").count()]


def read(page: Page, text: str) -> None:
    page.get_by_label("sentence", exact=True).fill(text)
    page.keyboard.press("Enter")


def test_a_new_sentence_forgets_the_target_of_the_old_one(opened):
    page = opened()
    expect(page.get_by_label("next", exact=True)).to_have_value("jumps")
    read(page, "the quick fox")
    expect(page.locator(".token")).to_have_text(["the", "quick", "fox"])
    expect(page.get_by_label("next", exact=True)).to_have_value("")
    read(page, "The quick brown fox")
    expect(page.get_by_label("next", exact=True)).to_have_value("jumps")


def test_words_that_a_toy_does_not_know_are_said_and_english_is_offered(opened):
    page = opened()
    read(page, "The quick zebra fox")
    expect(page.locator(".notices")).to_contain_text("“zebra” is new to this toy: it made up a vector.")
    page.get_by_role("button", name="Read it with the English model").click()
    expect(page.get_by_role("combobox", name="model")).to_have_value("english")
    expect(page.locator(".notices")).to_have_count(0)


def test_a_target_of_several_pieces_is_said(opened):
    page = opened(urlencode({"model": "english", "text": "The quick brown fox", "next": "jumps"}))
    expect(page.locator(".notices")).to_contain_text("“jumps” has several pieces in this model; the first, “j”")


def test_an_empty_target_is_none(opened):
    page = opened("model=fox&text=The+quick+brown+fox&next=&query=")
    expect(page.locator(".outcome strong")).to_have_text("fox")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_of_a_text_that_is_too_long_the_end_is_offered(opened):
    page = opened(urlencode({"model": "english", "text": "the cat sat on the mat and looked . " * 40}))
    page.get_by_role("button", name="read its end").click()
    expect(page.locator(".outcome strong")).not_to_be_empty()
    expect(page.get_by_role("alert")).to_have_count(0)
    opened.problems.clear()  # the browser writes the refused request into its console, as it should


def test_when_the_server_is_gone_one_line_says_so_and_it_is_asked_again_with_growing_pauses(opened):
    page = opened()
    expect(page.locator(".outcome strong")).to_have_text("fox")
    asked: list[str] = []
    page.route("**/api/**", lambda route: (asked.append(route.request.url), route.abort()))
    page.get_by_role("button", name="lessons", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("Asking again in 4 s")  # after 1 and 2
    assert len(asked) == 3
    page.unroute("**/api/**")
    page.get_by_role("button", name="ask now").click()
    expect(page.locator(".catalogue li button").first).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    opened.problems.clear()  # refused requests, in the console


def test_what_takes_long_says_what_it_does_and_can_be_stopped(opened):
    page = opened()
    expect(page.locator(".outcome strong")).to_have_text("fox")
    held: list = []
    page.route("**/api/explain", lambda route: held.append(route))
    read(page, "the quick fox")
    expect(page.get_by_text("reading 3 words …")).to_be_visible()
    page.get_by_role("button", name="stop", exact=True).click()
    expect(page.get_by_text("reading 3 words …")).to_have_count(0)
    expect(page.locator(".token")).to_have_text(["The", "quick", "brown", "fox"])
    assert len(held) == 1
    opened.problems.clear()  # the request that was left, in the console


def test_what_was_answered_well_is_remembered(opened):
    page = opened(urlencode({"lesson": "fox"}))
    page.evaluate("localStorage.setItem('regard.lessons', JSON.stringify(['fox 0']))")
    page.reload()
    expect(page.get_by_role("button", name=re.compile("card 1: .*, answered"))).to_be_visible()


TAKEN = """[...document.querySelectorAll("header, .explore > .under, footer")]
  .map((one) => one.getBoundingClientRect())
  .reduce((sum, box) => sum + Math.max(0, Math.min(innerHeight, box.bottom) - Math.max(0, box.top)), 0)"""


def test_a_phone_keeps_two_thirds_for_the_page_and_swipes_between_stages(opened):
    page = opened("page=explorer", width=375, height=812, has_touch=True, is_mobile=True)
    expect(page.locator(".outcome strong")).to_have_text("fox")
    page.locator("#stage-5").scroll_into_view_if_needed()
    assert page.evaluate(TAKEN) <= 812 / 3
    touch = page.context.new_cdp_session(page)
    expect(page.locator(STAGE)).to_be_attached()
    before = int(re.match(r"\d+", page.locator(STAGE).inner_text().strip())[0])  # pyright: ignore
    for kind, x in [("touchStart", 300), *(("touchMove", x) for x in range(280, 99, -20)), ("touchEnd", None)]:
        points = [] if x is None else [{"x": x, "y": 560}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(page.locator(STAGE)).not_to_have_text(re.compile(rf"^\s*{before}\D"))


def test_on_a_phone_the_chosen_scene_and_stage_are_in_sight(opened):
    page = opened(urlencode({**FOX, "stage": 9}), width=375, height=812)
    expect(page.locator(STAGE)).to_have_text(re.compile("^9"))
    expect(page.locator(STAGE)).to_be_in_viewport(ratio=1)
    page = opened("page=vectors", width=375, height=812)
    expect(page.get_by_label("what to look at").locator("[aria-pressed=true]")).to_be_in_viewport(ratio=1)


def test_a_word_that_is_clicked_says_whose_prediction_stands_there_and_can_be_asked_for_its_own(opened):
    page = opened(urlencode(ENGLISH))
    outcome = page.locator(".outcome")
    outcome.get_by_role("button", name="time", exact=True).click()
    expect(outcome.locator(".whose")).to_have_text("little →")
    outcome.get_by_role("button", name="after time?").click()
    own = regard.explain(ENGLISH["text"], model="english", query="time")
    expect(outcome.locator("strong")).to_contain_text(own.predicted)
    expect(outcome.locator(".whose")).to_have_text("time →")
    page.wait_for_url(re.compile("query=time"))


def test_a_guess_stands_for_the_hidden_word_and_not_after_the_last(opened):
    page = opened(urlencode({"model": "masked", "text": "The cat [MASK] on the mat"}))
    expect(page.locator(".outcome .whose")).to_have_text("[MASK] =")


def test_a_dragged_number_has_been_one_number(opened):
    moved = json.dumps([{"kind": "move", "cell": "weights[fox,fox]", "value": 0.2}])
    page = opened(urlencode({**FOX, "changes": moved, "cell": "layer0.weights[0,3,3]"}))
    expect(page.locator(".drawer .edited")).to_have_text("yours; it was 0.7500")
    expect(page.locator(".drawer .line").first).to_have_attribute("data-text", "0.20 (set by hand; was 0.7500)")


def test_what_is_read_stays_where_it_is_while_an_update_is_computed(opened):
    page = opened(urlencode({**ENGLISH, "stage": 9}))
    table = page.locator("#stage-9")
    expect(page.locator("section", has_text="Layer by layer").locator("table")).to_be_visible()
    page.wait_for_function("() => !document.querySelector('[aria-busy=true]:not(canvas)')")
    expect(table).to_be_in_viewport()
    held = []
    page.route("**/api/lens", lambda route: held.append(route))  # what is measured of the new run is late
    before = table.bounding_box()["y"]
    page.get_by_role("button", name="×1", exact=True).click()
    page.wait_for_url(re.compile("update"))
    expect(page.get_by_text("reading the stream after every layer")).to_be_attached()
    assert abs(table.bounding_box()["y"] - before) < 20
    expect(page.locator(".why h2").first).to_contain_text("Predict")
    for route in held:
        route.continue_()


INKED = """(step) => {
  const colour = (node) => {
    const brush = document.createElement("canvas").getContext("2d");
    brush.fillStyle = getComputedStyle(node).backgroundColor;
    brush.fillRect(0, 0, 1, 1);
    return [...brush.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const paper = colour(document.querySelector(".regard"));
  return [...document.querySelectorAll(`figure[data-step="${step}"] .cell`)].filter((cell) => Number(cell.dataset.value))
    .map((cell) => [Number(cell.dataset.value), Math.hypot(...colour(cell).map((part, i) => part - paper[i]))]);
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_more_a_word_is_read_the_farther_its_weight_is_from_the_paper(opened, theme):
    page = opened(urlencode({**FOX, "stage": 5}), color_scheme=theme)
    page.wait_for_selector('figure[data-step="layer0.weights"] .cell')
    cells = sorted(page.evaluate(INKED, "layer0.weights"))
    inks = [ink for _, ink in cells]
    assert len(inks) >= 10 and max(inks) - min(inks) > 40
    assert all(next_one >= one - 3 for one, next_one in pairwise(inks))  # but for rounding


@pytest.mark.parametrize("width", [1000, 1280, 1440])
def test_the_header_is_one_line(opened, width):
    page = opened(urlencode(FOX), width=width, height=800)
    boxes = [one.bounding_box() for one in page.locator("header :is(button, input, select, a):visible").all()]
    middles = [box["y"] + box["height"] / 2 for box in boxes if box]
    assert len(middles) > 5 and max(middles) - min(middles) < 12
    assert page.locator("header").bounding_box()["height"] < 64


@pytest.mark.parametrize("scene", ["explorer", "flow", "compare"])
def test_a_sentence_of_nine_words_is_whole_in_the_header(opened, scene):
    said = {"model": "english", "text": "Once upon a time there was a little girl", "page": scene}
    field = opened(urlencode(said), width=1280, height=800).locator("header input").first
    expect(field).to_have_value(said["text"])
    assert field.evaluate("(one) => one.scrollWidth - one.clientWidth") <= 0


@pytest.mark.parametrize("width", [920, 1280])
def test_a_long_sentence_leaves_room_for_the_words_that_may_follow(opened, width):
    page = opened(urlencode({"model": "english", "text": f"The {'very ' * 40}quick fox"}), width=width, height=800)
    shares = page.get_by_role("list", name="what may follow").locator("[data-cell]:visible")
    expect(shares.first).to_be_visible()
    boxes = [one.bounding_box() for one in shares.all()]
    assert len(boxes) >= 3
    assert all(one["x"] + one["width"] <= other["x"] for one, other in pairwise(boxes))
    assert max(one["height"] for one in boxes) < 30  # a line each
    aim = page.locator(".aim").bounding_box()
    assert boxes[-1]["x"] + boxes[-1]["width"] <= aim["x"]


def test_the_footer_is_a_line_whose_sheet_opens(opened):
    page = opened(urlencode(FOX), height=800)
    footer = page.locator("footer")
    expect(page.locator("#learning-sheet")).to_have_count(0)
    assert footer.bounding_box()["height"] < 64
    page.get_by_role("button", name="train", exact=True).click()
    expect(page.locator("#learning-sheet")).to_be_visible()
    page.get_by_role("button", name="train", exact=True).click()
    expect(page.locator("#learning-sheet")).to_have_count(0)


@pytest.mark.parametrize("state", [FOX, ENGLISH], ids=["fox", "english"])
def test_at_200_percent_two_thirds_of_the_screen_are_the_content(opened, state):
    page = opened(urlencode(state), width=640, height=400, device_scale_factor=2)
    expect(page.locator(".outcome strong")).not_to_be_empty()
    page.locator("#stage-5").first.scroll_into_view_if_needed()
    assert page.evaluate(TAKEN) <= 400 / 3


def test_what_a_long_sum_leaves_out_opens(opened):
    page = opened(urlencode({**ENGLISH, "cell": "layer0.q[0,0,0]"}))
    first = page.locator(".drawer .line, .panel .line, .why .line").first
    rest = first.get_by_role("button", name=re.compile(r"^… [\d,]+ more$")).first
    hidden = first.locator(".text .number").count()
    rest.click()
    expect(first.locator(".text .number").nth(hidden + 40)).to_be_attached()


def test_what_was_done_and_written_is_there_when_the_server_comes_back(opened):
    moved = json.dumps([{"kind": "move", "cell": "layer5.weights[3,little,Once]", "value": 0.5}])
    page = opened(urlencode({**ENGLISH, "changes": moved}))
    expect(page.locator(".banner")).to_be_visible()
    was = page.locator(".outcome .loss").inner_text()
    page.route("**/api/**", lambda route: route.abort())
    read(page, "Once upon a time there was a big")
    expect(page.get_by_role("alert")).to_have_count(1)
    expect(page.get_by_role("alert")).to_contain_text("Asking again in")
    expect(page.locator(".outcome .loss")).to_have_text(was)  # what was done is still on screen
    expect(page.locator(".banner")).to_be_visible()
    expect(page.get_by_label("sentence", exact=True)).to_have_value("Once upon a time there was a big")
    page.unroute("**/api/**")
    page.get_by_role("button", name="ask now").click()
    expect(page.locator(".token").last).to_have_text("big")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.wait_for_url(re.compile("big"))
    page.go_back()
    expect(page.locator(".outcome .loss")).to_have_text(was)
    opened.problems.clear()  # refused requests, in the console


def test_every_story_that_the_table_of_manners_names_is_told():
    folder = Path(__file__).parent
    table = (folder.parents[1] / "docs" / "page.md").read_text(encoding="utf-8").partition("## Manners")[2]
    named = re.findall(r"`(test_\w+\.py)::(test_\w+)`", table)
    assert len(named) > 25
    for file, story in named:
        assert f"def {story}(" in (folder / file).read_text(encoding="utf-8"), f"{file} has no {story}"
