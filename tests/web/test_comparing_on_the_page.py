"""Two runs side by side, in a browser: before and after, two sentences, two heads; every difference is a cell."""

import json
import re
from urllib.parse import urlencode

import pytest

import regard
from regard.trace import Trace

expect = pytest.importorskip("playwright.sync_api").expect

FOX = {"model": "fox", "text": "The quick brown fox", "next": "jumps"}
SHARE = "layer0.weights[0,3,3]"
MOVED = json.dumps([{"kind": "move", "cell": SHARE, "value": 0.2}])
WALK = """() => [...document.querySelectorAll("main [data-cell]")].map((one) => [one.dataset.cell, Number(one.dataset.value)])"""


def check_cells(page, one: Trace, other: Trace) -> dict[str, float]:
    """Every number is of the run that its sign says; a difference is the first less the second, by its own arithmetic."""
    cells = dict(page.evaluate(WALK))
    for cell, value in cells.items():
        run = {"①": one, "②": other}.get(cell[0])
        if run is not None:
            assert value == pytest.approx(run.cell(cell[2:]).value, rel=1e-9, abs=1e-12), cell
    return cells


def differences(cells: dict[str, float], step: str) -> dict[tuple[int, int], float]:
    found = {cell: value for cell, value in cells.items() if cell.startswith(f"difference.{step}[")}
    return {tuple(map(int, re.findall(r"\d+", cell))): value for cell, value in found.items()}


def test_a_dragged_weight_is_set_beside_what_it_was_and_every_difference_opens_in_both_runs(opened):
    before = regard.explain(FOX["text"], FOX["next"], "fox")
    after = before.move(SHARE, 0.2)
    page = opened(urlencode({**FOX, "changes": MOVED}))
    page.get_by_role("button", name="compare with …").click()
    expect(page.locator("h2", has_text="says")).to_contain_text("① says jumps, ② says fox")
    cells = check_cells(page, after, before)
    weights = after.array("layer0.weights")[0] - before.array("layer0.weights")[0]
    for (query, key), value in differences(cells, "weights").items():
        assert value == pytest.approx(weights[query, key], abs=1e-15)
    for row in page.get_by_label("what may follow, in both").locator("tbody tr").all():
        word = row.locator("th").inner_text()
        less = after[f"probabilities[{word}]"] - before[f"probabilities[{word}]"]
        assert float(row.locator("td.less button").get_attribute("data-value")) == pytest.approx(less, abs=1e-15)
    assert cells["difference.loss"] == pytest.approx(after["loss"] - before["loss"], abs=1e-15)
    page.locator('[data-cell="difference.weights[3,3]"]').click()
    line = page.locator(".drawer .line").first
    expect(line).to_have_attribute("data-text", re.compile(r"^-0\.55\d* = 0\.20\d* [-−] 0\.75"))
    line.get_by_role("button", name=re.compile("0.75")).click()
    expect(page.locator(f'.drawer [data-why="②:{SHARE.replace("0,3,3", "0,fox,fox")}"]')).to_have_attribute(
        "data-text", "0.7500 = 2.0281 / 2.7042"
    )


def test_two_sentences_are_compared_word_for_word_and_the_link_says_so(opened):
    english = {"model": "english", "text": "Once upon a time there was a little", "next": "girl"}
    other = "Once upon a time there was a big"
    one, two = (regard.explain(english["text"], "girl", "english"), regard.explain(other, None, "english"))
    page = opened(urlencode({**english, "page": "compare", "layer": 5, "head": 3}))
    field = page.get_by_label("the sentence to compare with")
    field.fill(other)
    field.press("Enter")
    column = page.locator("figure", has_text="① − ②").locator("thead th")
    expect(column.last).to_have_text("little/big")
    weights = one.array("layer5.weights")[3] - two.array("layer5.weights")[3]

    def check() -> None:
        cells = check_cells(page, one, two)
        found = differences(cells, "weights")
        assert len(found) == 36  # of 8 words, what each may read
        assert all(value == pytest.approx(weights[place], abs=1e-12) for place, value in found.items())

    check()
    page.wait_for_url(re.compile("beside="))
    page.reload()
    expect(column.last).to_have_text("little/big")
    check()


def test_two_heads_stand_side_by_side(opened):
    text, following = "On the mat a cat sat", "purring"
    trace = regard.explain(text, following, "two-heads")
    page = opened(
        urlencode({"model": "two-heads", "text": text, "next": following, "page": "compare", "layer": 0, "head": 0})
    )
    expect(page.locator("figcaption")).to_have_text(["① layer 0, head 0", "② layer 0, head 1", "① − ②"])
    weights = trace.array("layer0.weights")
    found = differences(check_cells(page, trace, trace), "weights")
    assert found and all(
        value == pytest.approx((weights[0] - weights[1])[place], abs=1e-15) for place, value in found.items()
    )


def test_two_models_read_one_sentence(opened):
    fox, untrained = (regard.explain(FOX["text"], FOX["next"], model) for model in ("fox", "untrained"))
    page = opened(urlencode({**FOX, "page": "compare"}))
    page.get_by_label("the model to compare with").select_option("untrained")
    expect(page.locator("figcaption")).to_have_text(["① weights", "② layer 0, head 0", "① − ②"])
    weights = fox.array("layer0.weights")[0] - untrained.array("layer0.weights")[0]
    found = differences(check_cells(page, fox, untrained), "weights")
    assert found and all(value == pytest.approx(weights[place], abs=1e-12) for place, value in found.items())


def test_what_is_compared_can_change_places_and_back_leads_back(opened):
    page = opened(urlencode({**FOX, "changes": MOVED, "page": "compare"}))
    says = page.locator("h2", has_text="says")
    expect(says).to_contain_text("① says jumps, ② says fox")
    page.get_by_role("button", name="swap").click()
    expect(says).to_contain_text("① says fox, ② says jumps")
    page.wait_for_url(re.compile("beside="))
    page.go_back()
    expect(says).to_contain_text("① says jumps, ② says fox")
