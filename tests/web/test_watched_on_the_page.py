"""A model that is not in glass, on the page: every head, maps that zoom, names, and how right it all is."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest
import torch

from regard.cli.main import run
from regard.server.doorbell import ring

expect = pytest.importorskip("playwright.sync_api").expect

TEXT = "The animal didn't cross the street because it was too tired"
LONG = " ".join([f"{TEXT}, and the old dog was sad."] * 5)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """The English model with stretched positions, which transformers computes and glass does not."""
    there = tmp_path_factory.mktemp("watched") / "stretched"
    assert run(["convert", "english", str(there)]) == 0
    config = json.loads((there / "config.json").read_text())
    turning = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 256}
    config["rope_parameters"] = {**config["rope_parameters"], **turning}
    (there / "config.json").write_text(json.dumps(config))
    return there


@pytest.fixture(scope="module")
def address(folder) -> Iterator[Callable[..., str]]:
    command = [sys.executable, "-m", "regard", "open", str(folder), "--no-browser", "--port", "0"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, cwd=folder.parent, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = next(filter(None, (re.search(r"http://127.0.0.1:(\d+)/", line) for line in process.stdout)))
        yield lambda state="": f"{found.group()}#login={ring(int(found[1]))[1]}&model=stretched&{state}"
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)


@pytest.fixture(scope="module")
def weights(folder) -> np.ndarray:
    """As eager attention gives them: (layers, heads, queries, keys)."""
    import transformers

    model = transformers.LlamaForCausalLM.from_pretrained(folder, attn_implementation="eager").eval()
    ids = transformers.AutoTokenizer.from_pretrained(folder)(TEXT, return_tensors="pt").input_ids
    with torch.no_grad():
        return np.stack([layer[0].numpy() for layer in model(ids, output_attentions=True).attentions])


def test_every_head_is_there_and_how_right_it_is(opened, weights):
    page = opened(urlencode({"text": TEXT}))
    parity = page.locator("[data-parity]")
    expect(parity).to_contain_text("6 layers compared with the model's own output: at most")
    assert float(parity.get_attribute("data-parity")) < 1e-4
    expect(page.locator("[data-head]")).to_have_count(weights.shape[0] * weights.shape[1])
    expect(page.get_by_role("heading", name="what cannot be done here")).to_be_visible()
    expect(page.get_by_text("no MLP")).to_have_count(0)  # it has some; they were not watched
    expect(page.get_by_role("button", name="flow")).to_have_count(0)


def test_a_head_s_weights_are_those_of_transformers_and_one_is_chosen(opened, weights):
    page = opened(urlencode({"text": TEXT}))
    page.locator("[data-head='2.2']").click()
    expect(page.locator("#head-title")).to_contain_text("layer 2 · head 2")
    last = weights.shape[-1] - 1
    for key in (0, 1, last):
        cell = page.locator(f'[data-cell="layer2.weights[2,{last},{key}]"]')
        expect(cell).to_be_visible()
        assert float(cell.get_attribute("data-value")) == pytest.approx(weights[2, 2, last, key], abs=1e-5)
    page.locator(f'[data-cell="layer2.weights[2,{last},1]"]').click()
    chosen = page.get_by_label("the weight that was chosen")
    expect(chosen).to_contain_text("reads")
    expect(chosen).to_contain_text(f"{weights[2, 2, last, 1]:.4f}")


def test_heads_have_names_that_find_them(opened):
    page = opened(urlencode({"text": TEXT}))
    page.get_by_role("button", name=re.compile(r"^first word")).click()
    wanted = page.locator("[data-head]:not(.unwanted)")
    expect(wanted.first).to_have_attribute("title", re.compile("first word"))
    assert 0 < wanted.count() < 30


def test_a_long_text_is_a_map_that_zooms(opened):
    page = opened(urlencode({"text": LONG}))
    canvas = page.get_by_role("application")
    expect(canvas).to_have_attribute("aria-busy", "false")
    before = canvas.get_attribute("aria-label")
    page.get_by_role("button", name="closer").click()
    expect(canvas).not_to_have_attribute("aria-label", before)
    expect(canvas).to_have_attribute("aria-busy", "false")
    page.get_by_role("button", name="all", exact=True).click()
    expect(canvas).to_have_attribute("aria-label", before)


def test_the_map_of_a_long_text_is_walked_word_by_word_and_names_them(opened):
    """By the keyboard alone: a word, a part of the map, closer, the weight itself."""
    page = opened(urlencode({"text": LONG}))
    canvas = page.get_by_role("application")
    expect(canvas).to_have_attribute("aria-busy", "false")
    canvas.focus()
    page.keyboard.press("ArrowDown")  # begins in the middle
    said = page.locator("[aria-live]", has_text=" reads ")
    middle = said.inner_text()
    page.keyboard.press("ArrowRight")
    expect(said).not_to_have_text(middle)
    page.keyboard.press("ArrowLeft")
    expect(said).to_have_text(middle)
    for _ in range(3):
        page.keyboard.press("+")
    expect(canvas).to_have_attribute("aria-busy", "false")
    words = page.locator(".words.rows span")
    shown = words.count()
    assert 12 <= shown <= 20, "of a long text, only the words in view are there"
    expect(page.locator(".words .on")).to_have_count(2)
    before = canvas.get_attribute("aria-label")
    for _ in range(shown):  # out of sight, where the map follows
        page.keyboard.press("ArrowUp")
    expect(canvas).not_to_have_attribute("aria-label", before)
    expect(page.locator(".words.rows .on")).to_have_count(1)
    expect(canvas).to_have_attribute("aria-busy", "false")
    reads = said.inner_text()
    page.keyboard.press("Enter")
    expect(page.get_by_label("the weight that was chosen").locator(".value")).to_have_text(reads.split(": ")[1])


def test_a_map_that_is_dragged_asks_for_one_part_at_a_time(opened):
    """However quick the hand is: the server is asked again when it has answered, about where the hand is then."""
    page = opened(urlencode({"text": LONG}))
    canvas = page.get_by_role("application")
    expect(canvas).to_have_attribute("aria-busy", "false")
    page.get_by_role("button", name="closer").click()
    expect(canvas).to_have_attribute("aria-busy", "false")
    held, asked, is_held = [], [], [True]

    def on_tile(route) -> None:
        asked.append(route)
        if is_held[0]:
            held.append(route)
        else:
            route.continue_()

    page.route("**/api/tile", on_tile)
    before = canvas.get_attribute("aria-label")
    with page.expect_request("**/api/tile"):
        for _ in range(5):
            canvas.press("Shift+ArrowRight")
    expect(canvas).not_to_have_attribute("aria-label", before)  # it moves before anything is answered
    expect(canvas).to_have_attribute("aria-busy", "true")
    assert len(held) == 1
    is_held[0] = False
    held[0].continue_()
    expect(canvas).to_have_attribute("aria-busy", "false")
    assert len(asked) == 2  # where the hand was first, and where it is now
