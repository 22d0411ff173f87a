"""The flow, in a browser: why this word and not that one, ribbon by ribbon, and what happens when one is cut."""

import re
from dataclasses import replace
from urllib.parse import urlencode

import pytest

import regard
from regard.lens.picture import flow_picture
from regard.trace import Trace

expect = pytest.importorskip("playwright.sync_api").expect

ENGLISH = {"model": "english", "text": "Once upon a time there was a little", "next": "girl"}
FOX = {"model": "fox", "text": "The quick brown fox", "next": "jumps"}
PAIR = "layer5.flow.pairs[7,4]"
WALK = """() => [...document.querySelectorAll("[data-cell]")].map((one) => [one.dataset.cell, Number(one.dataset.value)])"""


def flow_of(asked: dict) -> str:
    return urlencode({**asked, "page": "flow"})


def check_cells(page, trace: Trace) -> set[str]:
    """Every number of the page, also the width of every ribbon, is the trace's."""
    cells = page.evaluate(WALK)
    for cell, value in cells:
        assert value == pytest.approx(trace.cell(cell).value, rel=1e-9, abs=1e-12), cell
    return {cell for cell, _ in cells}


@pytest.mark.parametrize("asked", [ENGLISH, FOX, {"model": "masked", "text": "The cat [MASK] on the mat"}])
def test_every_word_and_every_ribbon_is_a_cell_of_the_flow(asked, opened):
    trace = regard.explain(asked["text"], asked.get("next"), asked["model"])
    picture = flow_picture(trace)
    page = opened(flow_of(asked))
    expect(page.locator("g.pair").first).to_be_attached()
    title = f"Why {picture['first']}, and not {picture['second']}?"
    chosen = [page.get_by_label(name).input_value() for name in ("why this word", "and not this one")]
    assert chosen == [picture["first"], picture["second"]], title
    found = check_cells(page, trace)
    assert {f"flow.words[{i}]" for i in range(len(picture["words"]["values"]))} <= found
    assert "margin" in found and any(re.fullmatch(r"layer0\.flow\.rest\d+", cell) for cell in found)
    nodes = {f"{height['step']}[0]" for height in picture["heights"][:-1]}
    assert nodes <= found


def test_what_is_drawn_and_what_is_left_out_are_all_there_is(opened):
    trace = regard.explain(ENGLISH["text"], ENGLISH["next"], "english")
    page = opened(flow_of(ENGLISH))
    slider = page.get_by_role("slider", name="share of the flow")
    for share in ("0", "50", "100"):
        slider.fill(share)
        expect(page.locator("footer")).to_contain_text(f"{share} % of the flow")
        drawn = page.evaluate(
            """() => [...document.querySelectorAll("g.pair")].map((one) => [one.dataset.cell, Number(one.dataset.value)])"""
        )
        rests = page.locator(".restNumber [data-cell]")
        for layer in range(6):
            own = [value for cell, value in drawn if cell.startswith(f"layer{layer}.")]
            left = float(rests.nth(layer).get_attribute("data-value"))
            pairs = trace.array(f"layer{layer}.flow.pairs")
            assert sum(own) + left == pytest.approx(pairs.sum(), abs=1e-9)
            assert sum(map(abs, own)) >= int(share) / 100 * abs(pairs).sum() - 1e-9
        check_cells(page, trace)
    assert len(drawn) > 100


def test_another_rival_is_another_flow_and_the_link_says_so(opened):
    page = opened(flow_of(ENGLISH))
    page.get_by_label("and not this one").select_option("rabbit")
    trace = replace(regard.explain(ENGLISH["text"], ENGLISH["next"], "english"), compared=("girl", "rabbit"))
    margin = page.locator(".says [data-cell=margin]")
    expect(margin).to_have_text(f"+{float(trace.array('margin')):.4f}")
    expect(page.locator("g.pair").first).to_be_attached()
    check_cells(page, trace)
    page.wait_for_url(re.compile("compared="))
    page.reload()
    expect(margin).to_have_text(f"+{float(trace.array('margin')):.4f}")


@pytest.mark.parametrize("asked, pair", [(ENGLISH, PAIR), (FOX, "layer0.flow.pairs[3,3]")])
def test_a_ribbon_is_cut_and_what_really_happens_stands_beside_what_the_flow_said(asked, pair, opened):
    trace = regard.explain(asked["text"], asked["next"], asked["model"])
    page = opened(flow_of(asked))
    ribbon = page.locator(f'g.pair[data-cell="{pair}"]')
    ribbon.focus()
    ribbon.press("Enter")
    page.get_by_role("button", name="cut it and see what really happens").click()
    cut = pair.replace("flow.pairs[", "cut").replace(",", "_").rstrip("]")
    lost = page.locator(f'.cut [data-cell="{cut}.lost"]')
    expect(lost).to_be_visible()
    assert float(lost.get_attribute("data-value")) == pytest.approx(float(trace.array(f"{cut}.lost")), abs=1e-12)
    check_cells(page, trace)
    lost.click()
    expect(page.locator(".drawer .line").first).to_have_attribute("data-text", trace.why(f"{cut}.lost").text())
    page.keyboard.press("Escape")
    expect(page.locator(".drawer")).to_have_count(0)


def test_a_node_opens_and_a_head_of_a_ribbon_is_shown_in_the_explorer(opened):
    page = opened(flow_of(ENGLISH))
    page.locator('circle[data-cell="layer2.residual.flow[7]"]').click()
    expect(page.locator(".drawer h2")).to_have_text("layer2.residual.flow[little]")
    ribbon = page.locator(f'g.pair[data-cell="{PAIR}"]')
    ribbon.focus()
    ribbon.press("Enter")
    page.get_by_role("button", name="4", exact=True).click()
    page.wait_for_url(re.compile(r"layer=5&head=4"))


def test_what_points_at_a_ribbon_goes_when_its_card_opens(opened):
    page = opened(flow_of(ENGLISH), width=960)
    ribbon = page.locator(f'g.pair[data-cell="{PAIR}"]')
    ribbon.focus()
    expect(page.locator(".picture output")).to_be_visible()
    ribbon.press("Enter")
    expect(page.get_by_role("button", name="cut it and see what really happens")).to_be_visible()
    expect(page.locator(".picture output")).to_have_count(0)  # it stood where the picture had been, over the next word


def test_a_long_text_gathers_the_words_that_carry_little(opened):
    text = f"{ENGLISH['text']} girl who lived in a small house near the sea and she had a dog and a cat named"
    trace = regard.explain(text, model="english")
    page = opened(flow_of({"model": "english", "text": text}))
    expect(page.get_by_text("11 more")).to_be_visible()
    assert "flow.words.rest16" in check_cells(page, trace)


def test_a_word_that_may_follow_asks_why_this_one(opened):
    page = opened(urlencode(ENGLISH))
    page.get_by_role("button", name="boy", exact=True).click()
    expect(page.get_by_label("why this word")).to_have_value("boy")
    expect(page.get_by_label("and not this one")).to_have_value("girl")
    trace = replace(regard.explain(ENGLISH["text"], ENGLISH["next"], "english"), compared=("boy", "girl"))
    expect(page.locator(".says [data-cell=margin]")).to_have_text(f"−{-float(trace.array('margin')):.4f}")


def test_a_share_of_the_prediction_stands_in_one_line_on_a_phone(opened):
    page = opened(flow_of(FOX), width=390, height=844)
    shares = page.locator(".end [data-cell]")
    expect(shares).to_have_count(2)
    for share in shares.all():
        assert share.evaluate("share => { const all = document.createRange(); all.selectNodeContents(share);"
                              " return new Set([...all.getClientRects()].map(({ top }) => top)).size; }") == 1  # fmt: skip
