"""What a person does with the page, in a real browser: one test is one story."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

import regard
from regard.ops.notation import format_in_column

FOX = {"model": "fox", "text": "The quick brown fox", "next": "jumps"}
ATTENDS = "layer0.weights[0,3,3]"  # how much "fox" attends to itself: the document's 0.75


def cell(page: Page, address: str) -> Locator:
    """The cell of a matrix on the page."""
    return page.locator(f'figure[data-step="{address.partition("[")[0]}"] button[data-cell="{address}"]')


def predicted(page: Page) -> Locator:
    return page.locator(".summary strong")


def line(page: Page, number: int) -> Locator:
    """The lines of arithmetic in the drawer, from the cell itself inwards."""
    return page.locator(".drawer [data-why]").nth(number)


def chooser(page: Page, name: str) -> Locator:
    return page.get_by_role("combobox", name=name)


def choose_mask(page: Page, mask: str) -> None:
    page.get_by_label("settings").click()
    chooser(page, "mask").select_option(mask)
    page.keyboard.press("Escape")


def typed(page: Page, address: str, value: str) -> None:
    cell(page, address).dblclick()
    field = page.get_by_label("new value of")
    expect(field).to_be_focused()
    field.fill(value)
    field.press("Enter")


def loss(page: Page) -> float:
    return float(page.locator("[data-cell=loss]").first.get_attribute("data-value") or "nan")


def test_075_is_read_and_clicked_down_to_the_numbers_of_the_words(opened):
    page = opened()
    expect(cell(page, ATTENDS)).to_have_text("0.7500")
    expect(predicted(page)).to_have_text("fox")
    cell(page, ATTENDS).click()
    way = ["0.7500 = 2.0281 / 2.7042", "2.0281 = e^0.7071", "0.7071 = 0.7071 + 0.0000", "0.7071 = 1.0000 / √2",
           "1.00 = 0.80·0.80 + 0.60·0.60"]  # fmt: skip
    for number, text in enumerate(way):
        said = line(page, number).locator(".text").first
        expect(said).to_have_text(re.compile(re.escape(text).replace(r"\ ", r"\s")))
        if number + 1 < len(way) and not line(page, number + 1).count():  # the steps on the way are open already
            said.get_by_role("button", name=way[number + 1][:4]).first.click()


def test_075_is_dragged_to_02_the_others_grow_and_the_prediction_flips(opened):
    page = opened()
    slider = page.get_by_role("slider", name="weight of fox")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    x, y = box["x"] + 0.75 * box["width"], box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.5 * box["width"], y)
    expect(slider).to_have_attribute("aria-valuetext", "0.5000")  # the share is where the pointer is
    page.mouse.move(box["x"] + 0.2 * box["width"], y, steps=5)
    page.mouse.up()
    expect(cell(page, ATTENDS)).to_contain_text("0.2000")
    after = regard.explain("The quick brown fox", next="jumps").move(ATTENDS, 0.2)
    for word in range(3):
        shown = cell(page, f"layer0.weights[0,3,{word}]")
        expect(shown).to_contain_text(format_in_column(after[f"weights[3,{word}]"], 4))
    expect(page.get_by_text("✓ sums to 1")).to_be_visible()
    expect(predicted(page)).to_have_text("jumps")
    expect(page.locator(".banner")).to_contain_text("1 edit: results are yours, not the model's.")
    page.get_by_role("button", name="undo").click()
    expect(cell(page, ATTENDS)).to_have_text("0.7500")
    expect(predicted(page)).to_have_text("fox")
    expect(page.locator(".banner")).to_have_count(0)


def test_a_press_on_the_track_is_enough_and_is_undone_by_keys_at_once(opened):
    page = opened()
    slider = page.get_by_role("slider", name="weight of fox")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    page.mouse.click(box["x"] + 0.2 * box["width"], box["y"] + box["height"] / 2)
    expect(slider).to_have_attribute("aria-valuetext", "0.2000")
    expect(predicted(page)).to_have_text("jumps")
    page.keyboard.press("Control+z")
    expect(predicted(page)).to_have_text("fox")
    page.keyboard.press("Control+Shift+z")
    expect(predicted(page)).to_have_text("jumps")


def test_a_cell_of_the_matrix_is_dragged_too_and_a_drag_is_no_click(opened):
    page = opened()
    cell(page, ATTENDS).scroll_into_view_if_needed()
    box = cell(page, ATTENDS).bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] - 90, box["y"] + 10, steps=5)
    page.mouse.up()
    expect(cell(page, ATTENDS)).to_contain_text("0.2000")
    expect(predicted(page)).to_have_text("jumps")
    expect(page.locator(".drawer")).to_have_count(0)


def test_typed_numbers_stay_as_typed_and_the_row_is_said_to_be_broken(opened):
    page = opened()
    typed(page, ATTENDS, "0.2")
    expect(page.get_by_text("the edited row sums to 0.4500, not to 1")).to_be_visible()
    expect(predicted(page)).to_have_text("fox")
    expect(cell(page, ATTENDS).locator("s")).to_have_text("0.7500")
    typed(page, ATTENDS, "0.05")
    expect(predicted(page)).to_have_text("jumps")
    expect(page.get_by_text("the edited row sums to 0.3000, not to 1")).to_be_visible()
    page.get_by_role("button", name="undo").click()
    expect(predicted(page)).to_have_text("fox")
    page.keyboard.press("Control+z")
    expect(cell(page, ATTENDS)).to_have_text("0.7500")
    expect(page.get_by_text("✓ sums to 1")).to_be_visible()


def test_what_is_no_number_is_refused_in_words(opened):
    page = opened()
    typed(page, ATTENDS, "a lot")
    expect(page.get_by_role("alert")).to_contain_text('a cell takes a number; "a lot" came')
    expect(cell(page, ATTENDS)).to_have_text("0.7500")


def test_one_update_flips_the_prediction_and_a_flag_says_so(opened):
    page = opened()
    page.get_by_role("button", name="×1", exact=True).click()
    flag = page.locator("[data-flip]")
    expect(flag).to_have_attribute("data-flip", "1")
    expect(flag).to_contain_text("jumps")
    expect(page.get_by_role("img", name="at update 1 the prediction became jumps")).to_be_visible()
    expect(predicted(page)).to_have_text("jumps")
    after = regard.explain("The quick brown fox", next="jumps").update(0.1)
    assert loss(page) == pytest.approx(float(after.array("loss")), abs=1e-14)
    page.get_by_role("button", name="×10", exact=True).click()
    expect(page.locator(".banner")).to_contain_text("11 updates learned")
    page.get_by_role("button", name="start over").click()
    expect(predicted(page)).to_have_text("fox")
    expect(flag).to_have_count(0)


def test_without_w_out_the_others_learn_and_w_out_stays(opened):
    page = opened()
    page.get_by_role("button", name="train").click()
    switch = page.get_by_role("switch", name="W_out", exact=True)
    switch.click()
    expect(switch).to_have_attribute("aria-checked", "false")
    before = page.locator("#stage-9 .vector").all_inner_texts()
    page.get_by_role("button", name="×10", exact=True).click()
    expect(page.locator(".banner")).to_contain_text("10 updates learned")
    after = regard.explain("The quick brown fox", next="jumps")
    for _ in range(10):
        after = after.update(0.1, ["E", "position", "W_Q", "W_K", "W_V"])
    assert loss(page) == pytest.approx(float(after.array("loss")), abs=1e-13)
    assert page.locator("#stage-9 .vector").all_inner_texts() == before
    assert cell(page, "layer0.W_V[0,0,0]").get_attribute("data-value") != "1"


def test_an_own_sentence_is_read(opened):
    page = opened()
    page.get_by_label("sentence", exact=True).fill("the fox and a lazy dog")
    page.get_by_label("next", exact=True).fill("sleeps")
    page.keyboard.press("Enter")
    expect(page.locator(".token")).to_have_text(["the", "fox", "and", "a", "lazy", "dog"])
    expect(page.locator("#stage-9")).to_contain_text("sleeps")
    trace = regard.explain("the fox and a lazy dog", "sleeps", "fox")
    assert loss(page) == float(trace.array("loss"))
    expect(cell(page, "layer0.weights[0,5,5]")).to_have_attribute("data-value", repr(float(trace["weights[5,5]"])))


def test_a_run_that_arrives_late_leaves_what_is_being_typed(opened):
    page = opened()
    held: list = []
    page.route("**/api/explain", lambda route: held.append(route))
    page.get_by_label("sentence", exact=True).fill("the fox and a lazy dog")
    page.get_by_label("next", exact=True).fill("sleeps")  # leaves the sentence: its run is asked for
    while not held:
        page.wait_for_timeout(10)
    held[0].continue_()
    page.unroute("**/api/explain")
    expect(page.locator(".token")).to_have_text(["the", "fox", "and", "a", "lazy", "dog"])
    expect(page.get_by_label("next", exact=True)).to_have_value("sleeps")
    page.keyboard.press("Enter")
    expect(page.locator("#stage-9")).to_contain_text("sleeps")


def test_the_mask_is_switched_and_words_see_what_comes_after_them(opened):
    page = opened()
    hidden = cell(page, "layer0.weights[0,0,3]")
    expect(hidden).to_have_text("")
    choose_mask(page, "both")
    seen = regard.explain("The quick brown fox", next="jumps", mask="both")
    expect(hidden).to_have_text(format_in_column(seen["weights[The,fox]"], 4))
    choose_mask(page, "causal")
    expect(hidden).to_have_text("")


def test_another_model_is_chosen(opened):
    page = opened()
    chooser(page, "model").select_option("two-heads")
    expect(page.locator("#stage-7")).to_contain_text("2 heads")
    page.locator("#stage-7").get_by_role("button", name="head 1", exact=True).click()
    expect(chooser(page, "head")).to_have_value("1")
    expect(page).to_have_url(re.compile("model=two-heads.*head=1"))


def test_gradients_stand_under_every_number(opened):
    page = opened()
    page.get_by_role("checkbox", name="show under every number").check()
    trace = regard.explain("The quick brown fox", next="jumps")
    under = page.locator('small[data-cell="layer0.weights.grad[0,3,3]"]')
    expect(under).to_have_attribute("data-value", repr(float(trace["weights.grad[0,3,3]"])))
    expect(page.get_by_text("the loss asks for")).to_be_visible()
    expect(page.get_by_text("✓ finite differences agree to")).to_be_visible()
    page.get_by_role("button", name="▲ more").first.click()
    expect(page.locator(".drawer h2")).to_have_text(re.compile(r"scores\.grad\["))


def test_blame_goes_back_in_the_order_of_the_terminal_and_its_numbers_open(opened):
    page = opened("page=explorer&stage=11")
    trace = regard.explain("The quick brown fox", next="jumps").backward()
    way = page.locator("#stage-11 .way")
    order = ["logits", "context", "v", "weights", "scores", "q", "k", "W_V", "W_Q", "W_K"]
    drawn = [name.rpartition(".grad")[0].rpartition(".")[2] for name in steps_of(way.locator("figure"))]
    assert drawn == order
    joined = [name.rpartition(".grad")[0].rpartition(".")[2] for name in steps_of(way.locator(".follows figure"))]
    assert joined == ["context", "v", "scores", "q", "W_V"], "the others come of what the one before comes of"
    score = way.locator('[data-cell="layer0.scores.grad[0,3,0]"]')
    expect(score).to_have_attribute("data-value", repr(float(trace["scores.grad[fox,The]"])))
    score.click()
    expect(page.locator(".drawer h2")).to_have_text(re.compile(r"scores\.grad\["))


def steps_of(figures: Locator) -> list[str]:
    return [figure.get_attribute("data-step") or "" for figure in figures.all()]


def test_keys_alone_walk_the_stages_the_cells_the_drawer_and_an_edit(opened):
    page = opened()
    keys = page.keyboard
    for _ in range(4):
        keys.press("ArrowRight")
    expect(page.locator("nav [aria-current=step]")).to_have_text(re.compile("^5Weights"))
    expect(page.locator("#stage-5")).to_be_in_viewport()
    for _ in range(80):  # to the matrix of weights, by Tab alone
        if page.evaluate("document.activeElement?.closest('figure')?.dataset.step") == "layer0.weights":
            break
        keys.press("Tab")
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight"):
        keys.press(key)
    expect(cell(page, ATTENDS)).to_be_focused()
    keys.press("Enter")
    drawer = page.locator(".drawer")
    expect(drawer).to_be_focused()
    for _ in range(2):  # past "close", onto the first number of the line
        keys.press("Tab")
    expect(drawer.get_by_role("button", name="2.0281")).to_be_focused()
    expect(line(page, 1)).to_contain_text("e^0.7071")  # the way is open by itself
    keys.press("Enter")
    expect(line(page, 1)).to_have_count(0)
    keys.press("Enter")
    expect(line(page, 1)).to_contain_text("e^0.7071")
    keys.press("Escape")
    expect(drawer).to_have_count(0)
    expect(cell(page, ATTENDS)).to_be_focused()
    keys.press("e")
    keys.type("0.05")
    keys.press("Enter")
    expect(predicted(page)).to_have_text("jumps")
    expect(cell(page, ATTENDS)).to_be_focused()
    keys.press("Control+z")
    expect(predicted(page)).to_have_text("fox")
    keys.press("b")
    expect(page.get_by_role("checkbox", name="show under every number")).to_be_checked()


def test_a_key_held_down_loses_no_stage(opened):
    page = opened()
    press = """async () => { for (let i = 0; i < 8; i++) {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
        await new Promise(requestAnimationFrame);
    } }"""
    page.evaluate(press)
    expect(page.locator("nav [aria-current=step]")).to_have_text(re.compile("^9"))
    expect(page.locator("#stage-9")).to_be_in_viewport()


def test_a_share_is_moved_by_keys(opened):
    page = opened()
    slider = page.get_by_role("slider", name="weight of fox")
    slider.focus()
    for _ in range(5):
        page.keyboard.press("PageDown")
    expect(slider).to_have_attribute("aria-valuetext", "0.2500")
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    expect(slider).to_have_attribute("aria-valuetext", "0.2000")
    expect(predicted(page)).to_have_text("jumps")
    expect(page.locator(".banner")).to_contain_text("1 edit")


def test_a_link_opens_exactly_what_was_left(opened):
    page = opened()
    typed(page, ATTENDS, "0.05")
    page.get_by_role("button", name="×1", exact=True).click()
    choose_mask(page, "both")
    cell(page, "layer0.context[0,3,1]").click()
    page.get_by_role("tab", name="code").click()
    expect(page).to_have_url(re.compile("tab=code"))
    before = page.evaluate(
        "[...document.querySelectorAll('[data-cell]')].map((c) => [c.dataset.cell, c.dataset.value])"
    )
    again = opened(page.url.partition("#")[2])
    expect(again.get_by_role("tab", name="code")).to_have_attribute("aria-selected", "true")
    expect(again.locator(".drawer h2")).to_have_text(re.compile(r"context\["))
    expect(again.locator(".banner")).to_contain_text("1 update learned")
    after = again.evaluate(
        "[...document.querySelectorAll('[data-cell]')].map((c) => [c.dataset.cell, c.dataset.value])"
    )
    assert len(after) > 100 and after == before


def test_a_deep_model_is_opened_by_a_link_at_its_head_and_number(opened):
    state = {"model": "english", "text": "Once upon a time there was a little", "next": "girl", "layer": 5, "head": 3}
    page = opened(urlencode({**state, "cell": "layer5.weights[3,7,0]"}))
    trace = regard.explain(state["text"], state["next"], "english")
    expect(page.locator(".drawer .text").first).to_contain_text(format_in_column(trace["layer5.weights[3,7,0]"], 4))
    expect(predicted(page)).to_have_text("girl")
    expect(page.locator('[data-head="5.3"]')).to_have_attribute("aria-pressed", "true")
    page.locator('[data-head="2.1"]').click()
    shown = page.locator('.number [data-cell="layer2.weights[1,7,0]"]')
    expect(shown).to_have_text(format_in_column(trace["layer2.weights[1,7,0]"], 4))
    assert float(shown.get_attribute("data-value")) == pytest.approx(trace["layer2.weights[1,7,0]"], abs=1e-12)
    expect(page.get_by_text("the last row is the prediction itself")).to_be_visible()
    page.get_by_role("button", name="next word").click()
    expect(page.locator("p.text button")).to_have_count(1)


def test_a_broken_link_says_what_is_wrong_and_the_page_goes_on(opened):
    page = opened(urlencode({"model": "nobody", "text": "hello"}))
    expect(page.get_by_role("alert")).to_contain_text("nobody")
    chooser(page, "model").select_option("fox")
    expect(cell(page, ATTENDS)).to_have_text("0.7500")
    opened.problems.clear()  # the browser writes the refused request into its console, as it should
