"""Exported files, opened as a reader would: from the disk, with every other address blocked."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

import regard
from regard.cli.main import run
from regard.models.model import Model
from regard.models.parameters import random_parameters
from regard.models.settings import Settings
from regard.ops.notation import format_in_column
from regard.session.answers import is_live
from regard.session.rounded import restored, rounded
from regard.session.single_run import SingleRun, state_of
from regard.session.state import State
from regard.trace import Trace
from regard.views.offline import offline_file

GUARD = 60_000
HOSTILE = [
    '<img/src=x/onerror="window.hacked=1">',
    "</script><script>window.hacked=1</script>",
    "<svg/onload=hacked=1>",
    "{{hacked}}",
    "&lt;b&gt;",
    "javascript:hacked=1",
    "<style>*{display:none}</style>",
]


@pytest.fixture
def offline(browser) -> Iterator[Callable[[Path], Any]]:
    """Open a file. What it asks for elsewhere, and what goes wrong in it, fails the test."""
    problems: list[str] = []
    contexts: list[Any] = []

    def blocked(route: Any) -> None:
        url = route.request.url
        if url.startswith("file://"):
            route.continue_()
        else:
            problems.append(f"asked for {url}")
            route.abort()

    def go(path: Path) -> Any:
        context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(GUARD)
        page.route("**/*", blocked)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
        page.goto(path.as_uri())
        page.wait_for_selector("main, [role=alert]")
        return page

    yield go
    for context in contexts:
        context.close()
    assert not problems, problems


def deep(words: list[str], name: str = "deep", layers: int = 4) -> Trace:
    """A run with more numbers than a file holds exactly."""
    names = tuple(dict.fromkeys([*words, *(f"w{i}" for i in range(3000))]))
    settings = Settings(width=132, heads=6, layers=layers, reads=len(names), writes=len(names), tied=True)
    model = Model(name, name, settings, random_parameters(settings, 3), names, names)
    trace = model.recorded(words, len(words) - 1, None, "causal", _labels(words, names))
    assert not is_live(trace)
    return trace


def _labels(words: list[str], names: tuple[str, ...]) -> Any:
    from regard.trace import Labels

    return Labels({**dict.fromkeys("TQK", words), "I": names, "V": names})


def written(trace: Trace, folder: Path) -> Path:
    path = folder / "run.html"
    path.write_bytes(offline_file(lambda: None, SingleRun(trace), State(**state_of(trace))))
    return path


def test_a_toy_is_live_offline_down_to_its_arithmetic(offline, tmp_path):
    path = tmp_path / "fox.html"
    assert run(["export", "The quick brown fox", "--next", "jumps", "-o", str(path)]) == 0
    page = offline(path)
    page.click('[data-cell="layer0.weights[0,3,3]"] >> nth=0')
    lines = ["0.7500 = 2.0281 / 2.7042", "2.0281 = e^0.7071", "0.7071 = 0.7071 + 0.0000", "0.7071 = 1.0000 / √2"]
    for line in lines:  # the steps on its way open by themselves
        page.locator(f'.drawer .line[data-text="{line}"]').first.wait_for()
    page.locator('.drawer .line[data-text="1.00 = 0.80·0.80 + 0.60·0.60"]').wait_for()
    assert page.inner_text(".summary strong") == "fox"
    page.locator(".drawer .buttons button", has_text="edit").click()
    page.locator(".drawer input").fill("0.05")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('.summary strong').innerText === 'jumps'")
    page.get_by_role("button", name="undo").first.click()
    page.wait_for_function("document.querySelector('.summary strong').innerText === 'fox'")
    page.get_by_role("button", name="×1", exact=True).click()
    page.wait_for_function("document.querySelector('.summary strong').innerText === 'jumps'")
    trained = regard.explain("The quick brown fox", next="jumps").update(0.1)
    shown = page.get_attribute('[data-cell="loss"]', "data-value")
    assert shown is not None and float(shown) == pytest.approx(float(trained.array("loss")), rel=1e-12)


def test_a_deep_run_is_read_offline_and_says_what_is_rounded(offline, tmp_path):
    trace = deep(["the", "quick", "brown", "fox", "and", "the", "lazy", "dog"])
    page = offline(written(trace, tmp_path))
    assert "rounded to 8 bits" in page.inner_text(".rounded") and "regard open" in page.inner_text(".rounded")
    assert page.locator("[data-head]").count() == 4 * 6
    page.click('[data-head="2.4"]')
    kept = restored(rounded(trace.array("layer2.weights")))[4]
    row = page.locator('.number [data-cell^="layer2.weights[4,7,"]')
    assert row.count() == 8
    for place in range(row.count()):
        cell = row.nth(place)
        key = int((cell.get_attribute("data-cell") or "").split(",")[-1].rstrip("]"))
        assert float(cell.get_attribute("data-value") or "nan") == pytest.approx(kept[7, key], rel=1e-12)
        text = cell.inner_text()
        digits = len(text.partition(".")[2])
        assert text.startswith("≈") and abs(float(text[1:]) - trace.array("layer2.weights")[4, 7, key]) <= 10.0**-digits
    page.get_by_role("button", name="brown", exact=True).first.click()  # another row
    page.wait_for_selector('[data-cell="layer2.weights[4,2,0]"]')
    page.click('[data-cell="layer2.weights[4,2,0]"]')
    assert "regard open" in page.inner_text(".drawer") and page.locator(".drawer .buttons").count() == 0
    shares = trace.array("probabilities")
    best = int(shares.argmax())
    shown = page.locator("td.share button").first
    assert float(shown.get_attribute("data-value") or "nan") == shares[best]
    assert shown.inner_text() == format_in_column(float(shares[best]), 4)
    assert page.get_by_text("if the model stopped after each layer").count() == 1
    assert page.get_by_role("button", name="next word", exact=True).count() == 0  # nobody here can write on


def test_what_a_deep_file_leaves_out_is_not_drawn_as_absent_from_the_model(offline, tmp_path):
    trace = regard.explain("Once upon a time there was", model="english")
    assert "layer0.W_O" in trace.steps and any(name.startswith("norm.") for name in trace.steps)
    page = offline(written(trace, tmp_path))
    left_out = page.get_by_role("button", name="W_O, not in this file", exact=True)
    expect(left_out).to_have_count(6)
    expect(left_out.first).to_be_disabled()
    expect(left_out.first).to_have_attribute("title", "W_O: not in this file; regard open shows it")
    assert page.get_by_role("button", name="no W_O", exact=True).count() == 0
    expect(page.get_by_text("norm · compare with all words")).to_be_visible()
    page.get_by_role("button", name="norm", exact=True).first.click()  # which is in the file, and opens
    expect(page.locator(".drawer")).to_contain_text("≈")


def test_the_button_of_the_page_writes_a_file_that_opens_offline(opened, offline, tmp_path):
    text = "Once upon a time there was"
    changes = [{"kind": "edit", "cell": "layer3.weights[1,5,0]", "value": 0.0}]
    page = opened(urlencode({"model": "english", "text": text, "changes": json.dumps(changes)}))
    page.wait_for_selector("[data-head]")
    with page.expect_download() as file:
        page.get_by_role("button", name="file").click()
    file.value.save_as(tmp_path / "english.html")
    read = offline(tmp_path / "english.html")
    assert "1 edit" in read.inner_text(".banner")
    read.click('[data-head="3.1"]')
    read.wait_for_selector('[data-cell="layer3.weights[1,5,1]"]')
    trace = regard.explain(text, model="english").edit("layer3.weights[1,5,0]", 0.0)
    shown = read.locator("td.share button").first.get_attribute("data-value")
    assert shown is not None and float(shown) == pytest.approx(float(trace.array("probabilities").max()), rel=1e-9)


def test_a_deep_file_has_no_fields_that_could_only_produce_errors(offline, tmp_path):
    page = offline(written(deep(["a", "fox", "and", "a", "dog"]), tmp_path))
    page.wait_for_selector("main section")
    assert page.locator(".bar input:enabled, .outcome input:enabled, .bar select:enabled").count() == 0
    assert page.locator("[role=alert]").count() == 0
    assert page.get_by_role("button", name=re.compile("flow|gravity|compare")).count() == 0  # they would need answers


def test_a_toys_file_has_no_field_for_another_sentence(offline, tmp_path):
    page = offline(written(regard.explain("The quick brown fox", next="jumps"), tmp_path))
    page.wait_for_selector("main section")
    assert page.locator(".bar input:enabled, .outcome input:enabled").count() == 0
    page.get_by_role("button", name="gravity").click()
    expect(page.locator(".examples button")).to_have_count(0)  # models that are not in the file
    page.get_by_role("button", name="explore").click()
    page.get_by_role("button", name="compare with …").click()
    expect(page.locator("h2", has_text="say")).to_be_visible()
    assert page.locator("[role=alert]").count() == 0


def test_a_shape_without_room_for_vectors_shows_its_weights(offline, tmp_path, monkeypatch):
    monkeypatch.setattr("regard.session.recording.ROUNDED", 1)
    trace = deep(["a", "fox", "and", "a", "dog"])
    page = offline(written(trace, tmp_path))
    assert "did not fit into this file" in page.inner_text("main")
    assert page.locator('ol [data-cell*=".weights["]').count() == 5


@pytest.mark.parametrize("kind", ["toy", "deep"])
def test_markup_in_tokens_and_names_adds_no_elements(kind, offline, tmp_path):
    plain_words = [f"word{i}" for i in range(len(HOSTILE))]
    traces = []
    for words, name in ((plain_words, "plain"), (HOSTILE, HOSTILE[0])):
        if kind == "deep":
            traces.append(deep(words, name))
        else:
            toy = Model(name, name, Settings(2, 1, len(words), len(words)), {}, tuple(words), tuple(words))
            toy = Model(name, name, toy.settings, random_parameters(toy.settings, 1), tuple(words), tuple(words))
            traces.append(toy.recorded(words, 6, words[0], "causal", _labels(words, tuple(words))).backward())
    tags = []
    for number, trace in enumerate(traces):
        folder = tmp_path / str(number)
        folder.mkdir()
        page = offline(written(trace, folder))
        page.wait_for_selector("#stage-9")
        assert page.evaluate("window.hacked") is None
        tags.append(page.evaluate("[...document.querySelectorAll('*')].map((e) => e.tagName).sort().join(' ')"))
        assert page.evaluate("document.querySelectorAll('img, svg[onload], [onerror]').length") == 0
    assert HOSTILE[0] in page.inner_text("main")
    assert tags[0] == tags[1]
