"""Word vectors on the page: what is near what, an analogy as arrows, a map of 100,000 words; every number opens."""

import os
import re
import signal
import subprocess
import sys
from urllib.parse import parse_qs, urlencode

import numpy as np
import pytest

from regard.lens.alike import cosines
from regard.models.catalogue import find_model
from regard.server.doorbell import ring
from regard.vectors.plane import Along, Principal, placed, places
from regard.vectors.wordvectors import WordVectors

expect = pytest.importorskip("playwright.sync_api").expect
ASKED = "king - man + woman"
FIELD = "a word, or a sum of words"
MANY, WIDTH = 100_003, 8
GUARD = 60
CAMERA = "() => ['x', 'y', 'unit'].map((name) => Number(document.querySelector('canvas.large').dataset[name]))"
SIZE = "() => ['width', 'height'].map((name) => Number(document.querySelector('figure svg').getAttribute(name)))"
INK = """() => {
  const canvas = document.querySelector("canvas.large"), copy = document.createElement("canvas");
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const into = copy.getContext("2d");
  return new Promise((done) => requestAnimationFrame(() => {
    into.drawImage(canvas, 0, 0);
    const { data } = into.getImageData(0, 0, copy.width, copy.height);
    let count = 0;
    for (let i = 3; i < data.length; i += 4) if (data[i]) count++;
    done(count);
  }));
}"""


@pytest.fixture(scope="module")
def english() -> WordVectors:
    return WordVectors.open("english")


def cells(page) -> dict[str, float]:
    found = page.evaluate(
        "() => [...document.querySelectorAll('main tbody [data-cell]')].map((one) => [one.dataset.cell, one.dataset.value])"
    )
    return {cell: float(value) for cell, value in found}


def marks(page) -> dict[str, tuple[float, float]]:
    """Where the words that are pointed out stand, read back from the screen through the camera."""
    x, y, unit = page.evaluate(CAMERA)
    width, height = page.evaluate(SIZE)
    found = page.evaluate(
        "() => [...document.querySelectorAll('[data-mark]')].map((one) => "
        "[one.dataset.mark, one.cx.baseVal.value, one.cy.baseVal.value])"
    )
    return {word: (x + (px - width / 2) / unit, y - (py - height / 2) / unit) for word, px, py in found}


def test_an_analogy_is_drawn_as_arrows_and_every_number_is_that_of_the_library(opened, english):
    page = opened("model=fox&text=The+quick+brown+fox")
    page.get_by_role("button", name="vectors", exact=True).click()
    expect(page.locator(".answer")).to_contain_text("woman is to queen")
    plane = Along.of(english, "woman - man", "king - man")
    nearest = english.near(ASKED, 10, beside=plane.words)
    trace = placed(english, nearest, plane)
    shown = cells(page)
    assert len(shown) == 3 * 10 + 2 * 3
    for cell, value in shown.items():
        assert trace.cell(cell).value == pytest.approx(value, rel=1e-12), cell
    assert page.locator("tbody th button").all_inner_texts() == list(nearest.words)
    expect(page.locator("[data-arrow]")).to_have_count(2)
    assert [one.get_attribute("data-arrow") for one in page.locator("[data-arrow]").all()] == [
        "man king",
        "woman queen",
    ]
    drawn = marks(page)
    assert set(drawn) == {"king", "man", "woman", "queen"}
    for word, place in drawn.items():
        assert place == pytest.approx((trace[f"map.across[{word}]"], trace[f"map.up[{word}]"]), abs=1e-6)


def test_a_cosine_and_a_coordinate_open_to_their_arithmetic_and_a_link_brings_it_back(opened):
    page = opened(urlencode({"page": "vectors", "asked": ASKED}))
    page.locator("[data-cell='near1197-441+895.cosine[queen]']").click()
    drawer = page.get_by_label("the arithmetic of", exact=False)
    expect(drawer.locator(".line").first).to_contain_text("0.6564 = 1.6512 / 2.5157")
    drawer.get_by_role("button", name="1.6512").click()
    expect(drawer.locator(".line .line").first).to_contain_text("near1197-441+895.dot[queen]")
    page.wait_for_function("() => location.hash.includes('cell=near1197')")
    again = opened(page.evaluate("location.hash.slice(1)"))
    expect(again.get_by_label("the arithmetic of", exact=False)).to_contain_text("1.6512 / 2.5157")
    again.locator("[data-cell='map.up[king]']").click()
    expect(again.get_by_label("the arithmetic of", exact=False).locator(".line").first).to_contain_text("more")
    again.get_by_role("button", name="gravity", exact=True).click()
    expect(again.locator("[data-end]")).to_have_count(3)  # what was open here belongs to no other scene
    expect(again.get_by_label("the arithmetic of", exact=False)).to_have_count(0)


def test_a_search_neighbours_and_the_way_back(opened, english):
    page = opened(urlencode({"page": "vectors"}))
    field = page.get_by_label(FIELD)
    expect(page.locator(".answer")).to_contain_text("queen")
    field.fill("little")
    field.press("Enter")
    nearest = english.near("little").words
    expect(page.locator("caption")).to_have_text("nearest to little")
    assert page.locator("tbody th button").all_inner_texts() == list(nearest)
    expect(page.locator("[data-arrow]")).to_have_count(0)
    assert set(marks(page)) == {"little", *nearest}
    page.wait_for_function("() => location.hash.includes('asked=little')")
    page.locator("tbody th button").first.click()
    expect(page.locator("caption")).to_have_text(f"nearest to {nearest[0]}")
    page.wait_for_function("word => location.hash.includes(`asked=${word}`)", arg=nearest[0])
    page.go_back()
    expect(page.locator("caption")).to_have_text("nearest to little")
    page.get_by_label("the table of vectors").select_option("fox")
    expect(page.locator("caption")).to_have_text("nearest to The")
    expect(page.get_by_role("main")).to_contain_text("4 words of 2 numbers")


def test_from_a_words_own_vector_to_what_a_sentence_makes_of_it(opened, english):
    page = opened(urlencode({"page": "vectors", "asked": "king"}))
    page.get_by_role("button", name="what a sentence makes of king").click()
    expect(page.get_by_role("heading", name="Contextual gravity")).to_be_visible()
    expect(page.locator("article")).to_have_count(1)
    near = english.near("king", 4)
    rows = page.locator("table", has_text="how near “king” comes to other words").locator("tbody tr")
    assert rows.locator("th").all_inner_texts() == list(near.words)
    trace = find_model("english").run("I saw the old king")
    for row, word, cell in zip(rows.all(), near.words, near.cosines):
        told = cosines(trace, 4, word)
        assert told["itself"].value == pytest.approx(cell.value)  # where the table leaves off, the sentence begins
        assert float(row.locator("[data-cell]").get_attribute("data-value")) == pytest.approx(told["layer5"].value)


def test_a_word_that_is_not_there_is_named(browser, address):
    context = browser.new_context()
    page = context.new_page()  # the refusal stands in the console, too
    page.goto(address(urlencode({"page": "vectors", "asked": "kingg - man"})))
    expect(page.locator("main [role=alert]")).to_contain_text("kingg")
    page.get_by_label(FIELD).fill("queen")
    page.keyboard.press("Enter")
    expect(page.locator("caption")).to_have_text("nearest to queen")
    expect(page.locator("main [role=alert]")).to_have_count(0)
    context.close()


@pytest.fixture(scope="module")
def many():
    table = np.random.default_rng(3).normal(size=(MANY, WIDTH)).astype(np.float32) * np.geomspace(9, 1, WIDTH)
    return WordVectors([f"word{i}" for i in range(MANY)], table.astype(np.float32))


@pytest.fixture(scope="module")
def file_address(many, tmp_path_factory):
    """`regard open FILE` of more words than a map has."""
    folder = tmp_path_factory.mktemp("vectors")
    many.save(folder / "many.vectors")
    command = [sys.executable, "-m", "regard", "vectors", "open", "many.vectors", "--no-browser", "--port", "0"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        found = re.search(r"http://127.0.0.1:(\d+)/", said)
        assert found and parse_qs(said.split("#")[1].strip())["table"] == ["many.vectors"], said
        port = int(found[1])
        yield lambda state: f"{found.group()}#login={ring(port)[1]}&{state}"
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=GUARD)


def test_a_map_of_100_000_words_is_drawn_dragged_zoomed_and_clicked(browser, file_address, many, tmp_path):
    from .conftest import Opener

    opened = Opener(browser, file_address, tmp_path)
    page = opened(urlencode({"page": "vectors", "table": "many.vectors"}))
    canvas = page.locator("canvas.large")
    expect(canvas).to_have_attribute("aria-label", re.compile("100,000 words"))
    expect(canvas).to_have_attribute("aria-busy", "false")
    expect(page.get_by_role("main")).to_contain_text("100,003 words of 8 numbers")
    page.get_by_role("button", name="all").click()
    page.wait_for_function(f"() => ({INK})().then((count) => count > 10000)")
    box = canvas.bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    x, y, unit = page.evaluate(CAMERA)
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] + 90, middle[1] + 40, steps=6)
    page.mouse.up()
    assert page.evaluate(CAMERA) == pytest.approx([x - 90 / unit, y + 40 / unit, unit])
    page.mouse.wheel(0, -1200)
    page.wait_for_function(f"unit => ({CAMERA})()[2] > 10 * unit", arg=unit)
    canvas.press("+")
    canvas.press("ArrowLeft")
    # the word that is clicked is the one that stands there
    row = 12_345
    across, up = places(many, Principal.of(many, 100_000), range(row, row + 1))[0]
    page.get_by_label(FIELD).fill(f"word{row}")
    page.keyboard.press("Enter")
    expect(page.locator("caption")).to_have_text(f"nearest to word{row}")
    assert marks(page)[f"word{row}"] == pytest.approx((across, up), abs=1e-5)
    page.get_by_label(FIELD).fill("word1")
    page.keyboard.press("Enter")
    expect(page.locator("caption")).to_have_text("nearest to word1")
    x, y, unit = page.evaluate(CAMERA)
    other = places(many, Principal.of(many, 100_000), range(100_000))
    away = np.abs((other - (x, y)) * unit)
    inside = np.flatnonzero((away[:, 0] < box["width"] / 2 - 20) & (away[:, 1] < box["height"] / 2 - 60))
    chosen = int(max(inside, key=lambda row: np.hypot(*(other[row] - other[1]))))
    px, py = (other[chosen] - (x, y)) * unit
    page.mouse.click(middle[0] + px, middle[1] - py)
    expect(page.locator("caption")).not_to_have_text("nearest to word1")
    near = other - other[chosen]
    clicked = page.locator("caption b").inner_text()
    assert np.hypot(*near[int(clicked.removeprefix("word"))]) * unit < 13
    assert not opened.problems
    page.context.close()


def test_the_part_that_draws_is_fetched_by_this_scene_alone(opened):
    page = opened("page=opening")
    loaded = "() => performance.getEntriesByType('resource').map((one) => new URL(one.name).pathname)"
    page.wait_for_load_state("networkidle")
    assert "/points.js" not in page.evaluate(loaded)
    page.get_by_role("button", name="vectors", exact=True).click()
    expect(page.locator("canvas.large")).to_have_attribute("aria-busy", "false")
    assert "/points.js" in page.evaluate(loaded)


def test_all_of_it_fits(opened):
    for width, height in ((1280, 800), (375, 812)):
        page = opened(urlencode({"page": "vectors"}), width=width, height=height)
        expect(page.locator(".answer")).to_contain_text("queen")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if width == 1280:
            assert page.evaluate("document.documentElement.scrollHeight") <= height, "no scrolling"
