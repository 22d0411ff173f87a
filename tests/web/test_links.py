"""What was done to a run is in its link: opened again, every number is Python's for the same changes."""

import json
import re
from urllib.parse import urlencode

import pytest
from PIL import Image
from playwright.sync_api import expect

import regard
from regard.trace.whatif import scaled_by

CELLS = """() => [...document.querySelectorAll("[data-cell]")].map((c) => [c.dataset.cell, Number(c.dataset.value)])"""


def test_a_what_if_of_the_scaling_reaches_every_layer(opened):
    text = "The quick brown fox"
    page = opened(urlencode({"model": "untrained", "text": text, "next": "jumps", "scaling": "none", "layer": 1}))
    page.wait_for_selector('[data-step="layer1.weights"]')
    trace = scaled_by(regard.explain(text, "jumps", "untrained"), "none")
    shown = {name: value for name, value in page.evaluate(CELLS) if name.startswith("layer1.") and "[" in name}
    assert len(shown) > 50
    for name, value in shown.items():
        assert value == pytest.approx(trace[name], rel=1e-9, abs=1e-12), name


def test_a_changed_deep_run_is_in_its_link(opened):
    text = "Once upon a time there was"
    changes = [
        {"kind": "edit", "cell": "layer3.weights[1,5,0]", "value": 0.0},
        {"kind": "edit", "cell": "x[0,0]", "value": 1.5},
    ]
    page = opened(urlencode({"model": "english", "text": text, "changes": json.dumps(changes), "layer": 3, "head": 1}))
    page.wait_for_selector('[data-cell="layer3.scores[1,5,1]"][data-value]')
    trace = regard.explain(text, model="english").edit("layer3.weights[1,5,0]", 0.0).edit("x[0,0]", 1.5)
    assert "2 edits" in page.inner_text(".banner")
    value = page.get_attribute('[data-cell="layer3.scores[1,5,1]"]', "data-value")
    assert value is not None and float(value) == pytest.approx(trace["layer3.scores[1,5,1]"], rel=1e-9)
    page.get_by_role("button", name="undo").click()
    expect(page.locator(".banner")).to_contain_text("1 edit:")
    expect(page).not_to_have_url(re.compile(r"1\.5"))
    left = json.loads(page.evaluate("new URLSearchParams(location.hash.slice(1)).get('changes')"))
    assert left == changes[:1]


EDIT = {"kind": "edit", "cell": "weights[fox,fox]", "value": 0.2}
HOSTILE = {
    "updates without end": '[{"kind":"update","rate":0.1,"times":1e999}]',
    "thousands of edits": json.dumps([EDIT] * 5000),
    "an infinite number": '[{"kind":"edit","cell":"weights[fox,fox]","value":1e999}]',
}


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_link_that_asks_for_too_much_opens_without_it(opened, hostile):
    """The tab answers: it shows the run as it was, and a word that is typed is read."""
    page = opened(
        urlencode({"model": "fox", "text": "The quick brown fox", "next": "jumps", "changes": HOSTILE[hostile]})
    )
    page.wait_for_selector('[data-cell="layer0.weights[0,3,3]"][data-value]')
    value = page.get_attribute('[data-cell="layer0.weights[0,3,3]"]', "data-value")
    assert value is not None and float(value) == pytest.approx(0.75, abs=1e-9)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_so_does_a_run_that_is_compared_with(opened, hostile):
    run = {"model": "fox", "text": "The quick brown fox", "next": "jumps"}
    beside = urlencode({**run, "changes": HOSTILE[hostile]})
    page = opened(urlencode({**run, "page": "compare", "beside": beside}))
    expect(page.locator('[data-cell="difference.weights[3,3]"]')).to_have_attribute("data-value", "0")
    page.get_by_role("button", name="share", exact=True).click()
    expect(page.get_by_text("link copied")).to_be_visible()


def test_share_offers_a_file_and_a_picture_of_the_scene(opened, tmp_path):
    page = opened("page=opening", width=1000, height=700)
    expect(page.get_by_role("slider")).to_have_count(4)
    page.get_by_role("button", name="share", exact=True).click()
    expect(page.get_by_text("link copied: it opens on this machine.")).to_be_visible()
    with page.expect_download() as coming:
        page.get_by_role("button", name="a picture").click()
    coming.value.save_as(tmp_path / "regard.png")
    with Image.open(tmp_path / "regard.png") as picture:
        assert picture.width > 1800 and picture.height > 1000, "twice as fine as the screen"
        drawn = picture.convert("RGB").getcolors(1 << 24)
    colours = {colour: count for count, colour in drawn or []}
    reds = sum(count for (r, g, b), count in colours.items() if r > g + 30 and b > g + 10)
    assert reds > 20_000, "the ribbons are in it"
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="a picture")).to_have_count(0)


def test_the_cloud_of_words_is_in_the_picture_of_its_scene(opened, tmp_path):
    page = opened("page=vectors")
    expect(page.locator("canvas.large[aria-busy=false]")).to_be_visible()
    page.get_by_role("button", name="share", exact=True).click()
    inks = []
    for name in ("whole", "without"):
        if name == "without":  # what else there is in the same place
            page.evaluate("document.querySelector('canvas.large').style.opacity = 0")
        with page.expect_download() as coming:
            page.get_by_role("button", name="a picture").click()
        coming.value.save_as(tmp_path / f"{name}.png")
        with Image.open(tmp_path / f"{name}.png") as picture:
            inks.append(sum(picture.convert("L").histogram()[:240]))
    assert inks[0] > inks[1] + 2000, "eight thousand points are drawn"
