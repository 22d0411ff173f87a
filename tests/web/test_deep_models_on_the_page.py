"""A deep model on the page: the head that is shown is the one that is spoken of, and what can be done to a toy can be
done to it."""

import json
import re
from urllib.parse import urlencode

import pytest

import regard

expect = pytest.importorskip("playwright.sync_api").expect

PATIENCE = 180_000  # milliseconds; a guard against hanging, nothing is timed
ENGLISH = {"model": "english", "text": "Once upon a time there was a little", "next": "girl"}


@pytest.fixture(scope="module")
def trace():
    return regard.explain(ENGLISH["text"], ENGLISH["next"], "english").backward()


def table(page):
    return page.locator("table", has=page.locator("th", has_text="without it"))


def test_which_word_mattered_is_told_of_the_head_on_screen_and_without_each_word(opened, trace):
    page = opened(urlencode({**ENGLISH, "layer": 2, "head": 4}))
    weight = table(page).locator('[data-cell="layer2.weights[4,little,a@6]"]')
    expect(weight).to_have_attribute("data-value", re.compile(r"^0\.\d+"))
    assert float(weight.get_attribute("data-value")) == pytest.approx(trace["layer2.weights[4,7,6]"])
    without = table(page).locator('[data-cell="without.change[there]"]')
    expect(without).to_be_visible()
    assert float(without.get_attribute("data-value")) == pytest.approx(trace["without.change[4]"])
    page.locator("[data-head='5.3']").click()
    expect(table(page).locator('[data-cell="layer5.weights[3,little,Once]"]')).to_be_visible()
    expect(weight).to_have_count(0)


def test_blame_is_told_by_its_strongest_numbers_and_by_where_vectors_begin(opened, trace):
    page = opened(urlencode({**ENGLISH, "layer": 5, "head": 3, "stage": 11}))
    way = page.locator("#stage-11 .way")
    numbers = way.locator("[data-cell]")
    expect(numbers).to_have_count(6 + 4 + 4 + 8 + 8 + 4 + 4)
    found = [(one.get_attribute("data-cell"), float(one.get_attribute("data-value"))) for one in numbers.all()]
    names = dict.fromkeys(cell.partition("[")[0] for cell, _ in found)
    stops = ("context", "v", "weights", "scores", "q", "k")
    assert list(names) == ["logits.grad", *(f"layer5.{name}.grad" for name in stops)]
    for cell, value in found:
        assert value == pytest.approx(trace[cell], rel=1e-9)
    assert {cell for cell, _ in found} >= {"logits.grad[girl]", "layer5.v.grad[3,7,0]", "layer5.scores.grad[3,7,0]"}


ANIMAL = "The animal did not cross the street because it was tired"


def test_two_words_rank_every_head_by_how_much_the_one_reads_the_other(opened):
    found = regard.explain(ANIMAL, model="english").heads("it", "animal")
    page = opened(urlencode({"model": "english", "text": ANIMAL, "layer": 5, "head": 0}))
    page.get_by_label("the sentence; choose the word").get_by_role("button", name="it", exact=True).click()
    who = page.get_by_role("region", name="Who reads whom")
    expect(who.get_by_role("button", name="was", exact=True)).to_be_disabled()  # it comes later
    who.get_by_role("button", name="animal", exact=True).click()
    rows = who.locator("tbody tr")
    expect(rows).to_have_count(8)
    who.get_by_role("button", name="22 more heads").click()
    expect(rows).to_have_count(30)
    told = rows.evaluate_all(
        "all => all.map((row) => [...row.querySelectorAll('[data-cell]')].map((one) => [one.dataset.cell, +one.dataset.value]))"
    )
    for cells, head in zip(told, found.heads, strict=True):
        wanted = [head.weight, head.average, head.others]
        assert [cell for cell, _ in cells] == [f"{one.step.name}[{','.join(map(str, one.at))}]" for one in wanted]
        assert [value for _, value in cells] == pytest.approx([one.value for one in wanted], rel=1e-9)
    best = found.heads[0]
    who.get_by_role("button", name=f"layer {best.layer} · head {best.head}").click()
    expect(page.locator("#head-title")).to_contain_text(f"layer {best.layer} · head {best.head}")
    rows.first.locator("[data-cell]").nth(2).click()
    expect(page.locator(".drawer h2")).to_have_text(re.compile(r"others\["))


def test_what_nobody_else_may_read_has_nothing_from_other_words(opened):
    page = opened(urlencode({"model": "english", "text": ANIMAL}))
    who = page.get_by_role("region", name="Who reads whom")
    who.get_by_role("button", name="tired", exact=True).click()
    expect(who.locator("tbody tr").first.locator("td").last).to_have_text("–")


def test_what_ifs_say_what_they_would_do_to_the_loss(opened, trace):
    page = opened(urlencode(ENGLISH))
    page.get_by_role("button", name="what would each do to the loss?").click()
    for name in ("none", "both"):
        change = page.locator(f'[data-cell="instead.{name}.change"]')
        expect(change).to_be_visible()
        assert float(change.get_attribute("data-value")) == pytest.approx(float(trace.array(f"instead.{name}.change")))


def test_a_weight_is_dragged_and_marked_as_set(opened, trace):
    page = opened(urlencode({**ENGLISH, "layer": 5, "head": 3}))
    cell = page.locator('figure[data-step="layer5.weights"] button[data-cell="layer5.weights[3,7,0]"]')
    expect(cell).to_be_visible()
    box = cell.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 30, y)
    page.mouse.move(x - 40, y, steps=3)
    page.mouse.up()
    after = trace.move("layer5.weights[3,7,0]", round(trace["layer5.weights[3,7,0]"] - 0.2, 3))
    expect(cell).to_have_class(re.compile("edited"))
    expect(page.locator(".head .cell.edited, .number .edited")).not_to_have_count(0)
    expect(page.locator(".banner")).to_contain_text("1 edit")
    loss = page.locator("[data-cell=loss]").first
    expect(loss).to_have_attribute("data-value", re.compile(f"^{float(after.array('loss')):.6f}"[:8]))


def test_a_hundred_updates_come_ten_by_ten_and_can_be_stopped(opened):
    page = opened(urlencode(ENGLISH))
    learning = page.get_by_role("group", name="learning")  # what takes long may be stopped above, too: another button
    learning.get_by_role("button", name="×100", exact=True).click()
    learning.get_by_role("button", name="stop", exact=True).click()
    expect(learning.get_by_role("button", name="stop", exact=True)).to_have_count(0)
    expect(page.locator(".banner")).to_contain_text("10 updates learned", timeout=PATIENCE)  # those under way
    expect(page.get_by_role("alert")).to_have_count(0)
    page.wait_for_url(re.compile("update"))


def test_what_depends_on_a_number_is_told(opened, trace):
    page = opened(urlencode({**ENGLISH, "cell": "layer5.weights[3,little,Once]"}))
    page.get_by_role("button", name="what depends on it").click()
    first = page.locator(".drawer li [data-cell]").first
    expect(first).to_be_visible()
    assert first.get_attribute("data-cell") == "layer5.context[3,little,0]"
    assert float(first.get_attribute("data-value")) == pytest.approx(trace["layer5.context[3,7,0]"])


def test_the_word_that_should_follow_has_a_column_only_if_it_is_another(opened):
    page = opened(urlencode(ENGLISH))
    heads = page.locator("section", has=page.locator("#lens-title")).locator("thead th")
    expect(heads).to_have_count(2)  # most probable, rank of girl
    page = opened(urlencode({**ENGLISH, "next": "boy"}))
    heads = page.locator("section", has=page.locator("#lens-title")).locator("thead th")
    expect(heads).to_have_count(3)


def test_a_model_that_reads_both_ways_is_not_said_to_read_the_words_before(opened):
    page = opened(urlencode({"model": "masked", "text": "The cat [MASK] on the mat"}))
    expect(page.locator("#stage-2-title")).to_contain_text("reads all words")


def test_an_opened_number_shows_the_steps_on_its_way_and_every_product(opened, trace):
    page = opened(urlencode({**ENGLISH, "cell": "layer5.weights[3,little,Once]"}))
    lines = page.locator(".drawer .line")
    way = ["weights", "exps", "scaled", "scores"]
    for number, step in enumerate(way):
        expect(lines.nth(number)).to_have_attribute("data-why", f"layer5.{step}[3,little,Once]")
    expect(page.locator(".drawer svg rect")).to_have_count(64)
    page.locator(".drawer .rest").click()
    products = page.locator(".drawer .line").nth(3).locator(".number")
    expect(products).to_have_count(128)
    value = sum(
        float(products.nth(2 * i).get_attribute("data-value"))
        * float(products.nth(2 * i + 1).get_attribute("data-value"))
        for i in range(64)
    )
    assert value == pytest.approx(trace["layer5.scores[3,7,0]"])


def test_operands_fly_from_their_cells_and_without_motion_they_are_outlined(opened):
    asked = urlencode({"model": "fox", "text": "The quick brown fox", "next": "jumps"})
    for motion, flying in (("no-preference", True), ("reduce", False)):
        page = opened(asked, reduced_motion=motion)
        page.evaluate(
            """() => { window.flown = []; new MutationObserver((seen) => seen.forEach((one) => one.addedNodes.forEach(
            (node) => node.className === "flying" && window.flown.push(node.textContent)))).observe(
            document.querySelector(".regard"), { childList: true }); }"""
        )
        page.locator('figure[data-step="layer0.context"] button').first.click()
        expect(page.locator(".drawer .line")).not_to_have_count(0)
        expect(page.locator(".cell.pointed")).not_to_have_count(0)
        if flying:
            page.wait_for_function("window.flown.length > 0")
        else:  # what flies begins in the frame after its equation is there
            page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            assert page.evaluate("window.flown.length") == 0


def test_the_map_leads_to_a_head_and_names_filter_it(opened):
    page = opened(urlencode(ENGLISH))
    chip = page.get_by_role("button", name=re.compile(r"^induction \d"))
    chip.click()
    expect(page.locator(".map .head:not(.unwanted)")).to_have_count(3)
    page.locator("[data-head='4.4']").click()
    expect(page.locator("#head-title")).to_contain_text("layer 4 · head 4")
    badge = page.locator("#head-title .badge", has_text="induction")
    badge.focus()
    score = page.locator("#head-title .card [data-cell]").first
    there = regard.explain(score.get_attribute("data-of"), model="english")
    assert float(score.get_attribute("data-value")) == pytest.approx(there.cell(score.get_attribute("data-cell")).value)
    chip.click()
    page.get_by_label("find a head").fill("3.2")
    expect(page.locator(".map .head:not(.unwanted)")).to_have_count(1)


@pytest.mark.parametrize("page_name", ["explorer", "flow"])
def test_english_fits_a_phone(page_name, opened):
    page = opened(urlencode({**ENGLISH, "page": page_name}), width=375, height=812)
    expect(page.locator("[data-cell=margin]").first).to_be_attached()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 375


def test_changes_of_a_link_are_marked(opened):
    changes = json.dumps([{"kind": "edit", "cell": "layer5.weights[3,7,0]", "value": 0.05}])
    page = opened(urlencode({**ENGLISH, "layer": 5, "head": 3, "changes": changes}))
    cell = page.locator('figure[data-step="layer5.weights"] button[data-cell="layer5.weights[3,7,0]"]')
    expect(cell).to_have_class(re.compile("edited"))
    expect(cell.locator("s")).to_have_text("0.35")


def test_what_is_said_to_those_who_listen_does_not_make_a_phone_scroll_sideways(opened):
    page = opened(urlencode({"model": "english", "text": f"The {'very ' * 40}quick fox"}), width=390, height=844)
    page.get_by_text("what each word receives, and the entropy of its own row").wait_for(state="attached")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
