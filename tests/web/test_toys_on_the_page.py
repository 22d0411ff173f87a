"""Toys on the page: those that begin later, four heads side by side, and one of somebody's own."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

import regard
from regard.server.doorbell import ring
from regard.toys.shipped import shipped

GUARD = 30  # seconds after which something hangs
FIVE_LINES = """words.the = [0.1, 0.2]
words.small = [0.4, 0.1]
words.cat = [0.9, 0.6]
next.sat = [0.8, 0.3]
next.ran = [0.2, 0.9]
"""


@pytest.fixture(scope="module")
def mine(tmp_path_factory) -> Iterator[Callable[..., str]]:
    """`regard open mine.toml`, as somebody with a toy of their own would."""
    folder = tmp_path_factory.mktemp("mine")
    (folder / "mine.toml").write_text(FIVE_LINES, encoding="utf-8")
    command = [sys.executable, "-m", "regard", "open", "mine.toml", "--no-browser", "--port", "0"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"http://127.0.0.1:(\d+)/", process.stdout.readline())
        assert found, "regard open did not say where it is"
        port = int(found[1])
        yield lambda state="": f"{found.group()}#login={ring(port)[1]}{state and '&'}{state}"
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=GUARD)


def value(page: Page, address: str) -> float:
    found = page.locator(f'[data-cell="{address}"]').first
    expect(found).to_have_attribute("data-value", re.compile("."))
    return float(found.get_attribute("data-value") or "nan")


def state(name: str, **more: str) -> str:
    return urlencode({"model": name, "text": shipped(name).sentence, **more})


def test_a_toy_of_ones_own_is_opened_moved_and_taught(opened, mine):
    opened.address = mine
    own = {"model": "mine.toml", "text": "the small cat", "next": "sat"}
    page = opened(urlencode(own))
    trace = shipped_like_mine()
    address = "layer0.weights[0,2,1]"
    assert value(page, address) == pytest.approx(trace["weights[cat,small]"], rel=1e-12)
    changes = '[{"kind":"move","cell":"layer0.weights[0,2,2]","value":0.2}]'
    page = opened(urlencode({**own, "changes": changes}))
    assert value(page, address) == pytest.approx(trace.move("weights[cat,cat]", 0.2)["weights[cat,small]"], rel=1e-12)


def shipped_like_mine():
    from regard.toys.toy_file import toy_text

    return toy_text(FIVE_LINES, "mine.toml").run("the small cat", "sat")


def test_the_cat_from_its_scores(opened):
    page = opened(state("cat"))
    assert value(page, "layer0.scores[0,2,1]") == 4.0
    expect(page.locator("#stage-4")).to_contain_text("scores ÷ √4")
    expect(page.locator("table.row thead")).to_contain_text("÷ √4")


def test_the_matrix_from_its_weights(opened):
    page = opened(state("matrix"))
    assert value(page, "layer0.weights[0,6,1]") == pytest.approx(0.60)
    assert page.locator("#stage-3").count() == 0, "no scores, no stage"


def test_apple_is_not_scaled_unless_asked(opened):
    page = opened(state("apple"))
    expect(page.locator("#stage-4")).to_contain_text("scores, not divided")
    page = opened(state("apple", scaling="root"))
    expect(page.locator("#stage-4")).to_contain_text("scores ÷ √5")


def test_scores_that_are_shifted_before_they_are_exponents_say_so(opened):
    page = opened(urlencode({"model": "apple", "text": "Apple unveiled a new phone", "query": "phone"}))
    expect(page.locator("table.row thead")).to_contain_text("e^(s − 64)")
    page = opened(state("apple"))
    expect(page.locator("table.row thead")).to_contain_text("eˢ")
    expect(page.locator("#stage-7")).to_contain_text("one head, through W_O, added to the word")


def test_rounding_is_no_advice_for_a_weight_that_was_dragged(opened):
    changes = '[{"kind":"move","cell":"layer0.weights[0,2,1]","value":0.2}]'
    asked = {"model": "cat", "text": "The cat sat.", "next": "cat", "changes": changes, "backward": "1"}
    page = opened(urlencode(asked))
    expect(page.locator("table.row tbody th")).to_have_text(["the", "cat", "sat"])
    expect(page.locator("table.row tbody .asks")).to_have_text(
        [re.compile("more 0.0089"), "", re.compile("less 0.0089")]
    )


def test_four_heads_side_by_side_are_a_strip_and_added_to_the_word(opened):
    page = opened(state("four-heads"))
    stage = page.locator("#stage-7")
    strip = stage.get_by_role("application", name=re.compile("concat of sat: 4 heads side by side"))
    strip.focus()
    page.keyboard.press("ArrowRight")
    assert value(page, "layer0.concat[6,0]") == pytest.approx(0.60)
    expect(stage).to_contain_text("added to the word")


def test_a_toy_has_a_map_whose_absent_parts_are_absent_and_whose_head_leads_to_its_weights(opened):
    page = opened(urlencode({"model": "fox", "text": "a lazy fox and a lazy fox", "next": "sleeps"}))
    model = page.locator(".map")
    words = model.locator(".words button")
    expect(words).to_have_text(["a₀", "lazy₁", "fox₂", "and", "a₄", "lazy₅", "fox₆"])
    expect(model.get_by_role("button", name="no MLP")).to_be_disabled()
    expect(model.get_by_role("button", name="no W_O")).to_be_disabled()
    trace = regard.explain("a lazy fox and a lazy fox", "sleeps", "fox")
    cells = {one.get_attribute("data-cell"): one for one in model.locator("[data-cell]").all()}
    assert cells
    for cell, shown in cells.items():
        assert float(shown.get_attribute("data-value")) == pytest.approx(trace.cell(cell).value, abs=1e-12)
    words.nth(4).click()
    expect(page.locator(".outcome .token").nth(4)).to_have_attribute("aria-pressed", "true")
    model.locator("[data-head='0.0']").click()
    expect(page.locator("#stage-5")).to_be_in_viewport()
    page.wait_for_url(re.compile("stage=5"))


def test_the_map_of_a_toy_with_all_parts_opens_their_numbers(opened):
    page = opened(urlencode({"model": "untrained", "text": "The quick brown fox", "next": "jumps"}))
    model = page.locator(".map")
    expect(model.locator("[data-head]")).to_have_count(4)
    model.get_by_role("button", name="MLP of layer 1").click()
    expect(page.locator(".drawer h2")).to_contain_text("layer1.mlp[")
    model.locator("[data-head='1.1']").click()
    page.wait_for_url(re.compile(r"layer=1&head=1"))
