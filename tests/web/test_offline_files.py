"""A file that was saved from the page, opened where there is no network: the same numbers, and a toy stays live."""

import re

import pytest

from regard.models.catalogue import find_model

from .conftest import GUARD


@pytest.fixture
def alone(browser, tmp_path):
    """Open a file without a network; whatever it asks for or complains about fails the test."""
    context = browser.new_context(offline=True)
    problems: list[str] = []

    def go(content: bytes):
        file = tmp_path / "saved.html"
        file.write_bytes(content)
        page = context.new_page()
        page.set_default_timeout(GUARD * 1000)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
        page.on("request", lambda asked: problems.append(asked.url) if re.match("http|ws", asked.url) else None)
        page.goto(file.as_uri())
        page.wait_for_selector("[data-cell]")
        return page

    yield go
    context.close()
    assert not problems


def saved(page) -> bytes:
    with page.expect_download() as download:
        page.get_by_text("⤓ file").click()
    return download.value.path().read_bytes()


def test_a_saved_toy_has_every_number_and_its_changes(opened, alone):
    changes = '[{"kind":"edit","cell":"weights[fox,fox]","value":0.05}]'
    page = opened(f"model=fox&text=The+quick+brown+fox&next=jumps&changes={changes}")
    page.wait_for_selector("[data-cell]")
    trace = find_model("fox").run("The quick brown fox", "jumps").edit("weights[fox,fox]", 0.05)
    assert trace.predicted == "jumps"
    file = alone(saved(page))
    shown = dict(file.eval_on_selector_all("[data-cell]", "all => all.map(c => [c.dataset.cell, +c.dataset.value])"))
    assert len(shown) > 50
    own = {a: v for a, v in shown.items() if a.startswith(("layer0.", "x[", "logits", "probabilities"))}
    assert len(own) > 40
    for address, value in own.items():
        assert value == pytest.approx(trace[address], abs=1e-12), address


def test_a_saved_large_run_is_drawn_and_says_that_it_is_rounded(opened, alone):
    page = opened("model=english&text=Once+upon+a+time+there+was+a+little&next=girl")
    page.wait_for_selector("[data-cell]")
    content = saved(page)
    assert len(content) < 5_000_000
    file = alone(content)
    assert "girl" in file.inner_text("body") and "6 layers × 5 heads" in file.inner_text("body")
    trace = find_model("english").run("Once upon a time there was a little", "girl")
    shown = dict(file.eval_on_selector_all("[data-cell]", "all => all.map(c => [c.dataset.cell, +c.dataset.value])"))
    weights = {address: value for address, value in shown.items() if re.match(r"layer\d\.weights\[", address)}
    assert len(weights) >= 8
    for address, value in weights.items():
        assert value == pytest.approx(trace[address], abs=0.003), address
