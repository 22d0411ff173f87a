"""Every number on the page is the Trace's number, and opens: toys also changed, deep models as they are."""

import json
import math
import re
from collections.abc import Callable
from functools import partial
from urllib.parse import urlencode

import pytest

import regard
from regard.models.catalogue import find_model
from regard.ops.expression import abridged
from regard.ops.notation import format_in_column
from regard.trace import Cell, Trace

expect = pytest.importorskip("playwright.sync_api").expect

WALK = """() => [...document.querySelectorAll("[data-cell]")].map(
    (one) => [one.dataset.cell, Number(one.dataset.value), (one.innerText ?? one.textContent).trim()])"""
STEPS = ("q", "k", "v", "scores", "scaled", "weights")  # drawn whole, of the layer and head on screen
CASES = [
    ("The quick brown fox", "jumps", "fox", 0, 0),
    ("a lazy fox and a lazy fox", "sleeps", "fox", 0, 0),
    ("On the mat a cat sat", "purring", "two-heads", 0, 1),
    ("The quick brown fox", "jumps", "untrained", 0, 1),
    ("The quick brown fox", "jumps", "untrained", 1, 0),
]
TERMS = 8  # of a long sum that are followed
CELLS_OF_A_STEP = 3  # that are opened; the others are made alike
MOST_OF_A_TOY = 20  # parameters, by name
MEASURED = (
    (r"\.sent\[", r"\.contribution\[", r"^without\.change\[", r"^blame\.", r"^after\.loss$", r"^guessing$",
     r"^instead\.both\.change$"),
    (r"\.sent\[", r"\.contribution\[", r"^blame\.", r"^after\.loss$", r"\.entropy\[", r"\.distance\[", r"\.received\[",
     r"\.says\.probabilities\[", r"^margin$", r"\.contribution\.sum$"),
)  # of a toy, of a deep model  # fmt: skip
SHARE = "layer0.weights[0,3,3]"
UPDATE = {"kind": "update", "rate": 0.1, "times": 3}
CHANGES: dict[str, tuple[list[dict], Callable[[Trace], Trace]]] = {
    "edited": ([{"kind": "edit", "cell": SHARE, "value": 0.05}], lambda trace: trace.edit(SHARE, 0.05)),
    "moved": ([{"kind": "move", "cell": SHARE, "value": 0.2}], lambda trace: trace.move(SHARE, 0.2)),
    "learned": ([UPDATE], lambda trace: trace.update(0.1).update(0.1).update(0.1)),
    "learned, then edited": (
        [UPDATE, {"kind": "edit", "cell": "x[1,0]", "value": -1.25}],
        lambda trace: trace.update(0.1).update(0.1).update(0.1).edit("x[1,0]", -1.25),
    ),
}


def shown(value: float, text: str) -> bool:
    """Whether a text is this number, rounded to the digits that it has."""
    bare = text.split("\n")[0].replace("−", "-")
    if bare[:1] in "▲▼":
        bare = bare[1:]
        value = abs(value)
    bare = bare.split()[-1] if bare.split() else ""
    bare = f"0{bare}" if bare.startswith(".") else bare
    decimals = len(bare.partition("e")[0].partition(".")[2])
    return bare == format_in_column(value, decimals)


def walked(page, trace: Trace, layer: int, head: int, exactly: bool) -> set[str]:
    """Compare every number in the DOM; the cells that were found."""
    cells = page.evaluate(WALK)
    for key, value, text in cells:
        expected = float(trace[key] if "[" in key else trace.array(key))
        # what a change makes new, and what is measured, is computed in the page, in another order of additions
        was_sent = exactly and key.partition("[")[0] in trace.steps
        assert value == expected if was_sent else value == pytest.approx(expected, rel=1e-12, abs=1e-13), key
        if text and text != "0":
            assert shown(value, text) or is_written(value, text), (key, value, text)
    found = {key for key, *_ in cells}
    for name in STEPS:
        step = trace.step(f"layer{layer}.{name}")
        _, rows, columns = step.shape
        lead = head if step.shape[0] > 1 else 0
        missing = {f"{step.name}[{lead},{r},{c}]" for r in range(rows) for c in range(columns)} - found
        assert not missing, missing
    assert {f"x[{r},{c}]" for r in range(trace.step("x").shape[0]) for c in range(trace.step("x").shape[1])} <= found
    return found


def state_of(text: str, following: str, model: str, layer: int, head: int, changes: list[dict]) -> str:
    said = {"model": model, "text": text, "next": following, "layer": layer, "head": head, "backward": 1}
    return urlencode({**said, **({"changes": json.dumps(changes)} if changes else {})})


@pytest.mark.parametrize("text, following, model, layer, head", CASES)
def test_every_number_on_the_page_is_the_traces_number(text, following, model, layer, head, opened):
    trace = regard.explain(text, following, model)
    page = opened(state_of(text, following, model, layer, head, []))
    page.wait_for_selector("[data-cell=loss]")
    found = walked(page, trace, layer, head, exactly=True)
    assert f"layer{layer}.weights.grad[{head},3,3]" in found
    without = page.get_by_role("checkbox", name="show under every number")
    without.uncheck()
    page.locator(f'small[data-cell="layer{layer}.weights.grad[{head},3,3]"]').wait_for(state="detached")
    walked(page, trace, layer, head, exactly=True)


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("model, layer, head", [("fox", 0, 0), ("untrained", 0, 0), ("untrained", 1, 1)])
def test_changed_numbers_are_those_of_the_changed_trace(name, model, layer, head, opened):
    changes, changed = CHANGES[name]
    trace = changed(regard.explain("The quick brown fox", "jumps", model))
    trace = trace if trace.of is not None else trace.backward()
    page = opened(state_of("The quick brown fox", "jumps", model, layer, head, changes))
    page.wait_for_selector("[data-cell=loss]")
    walked(page, trace, layer, head, exactly=False)


# What has digits and is no number of the run: where it stands, what it may look like, why. All else must be a cell.
NOT_CELLS = (
    ("nav i, h2 i", r"\d+", "the number of a stage"),
    ("th, .word, .words span, .query b, .where, .name, .number, button, figcaption b, summary b, h2 b, h2 .quiet",
     r"(← )?(\S+@)?\d+|.*layer \d+.*|head \d+|.*\[.+\]", "places: positions, heads, layers, names of cells"),
    ("figcaption, h2 .quiet", r"[\d,]+ (layers )?× [\d,]+.*|\d+ heads, .*|rows ask, .*|; pooled to .*", "sizes"),
    (".formula, pre, .shapes, figcaption b, th, .text", r".*", "formulas, code, and the constants in them"),
    (".claims", r".*", "what documents say, and the verdict"),
    (".note, .says", r".*", "sentences about the model and the stage, which are the same for every run"),
    (".finding", r"✓ sums to 1|.*, not to 1|.* after 1 update: .*|a long text: .*|without the word .*",
     "the 1 that a row should make; counts; places of words"),
    (".more, .train button, .sr[aria-live]", r"[^.]*", "counts and ranks"),
    (".reach, .plane", r".*", "how far the colours, bars and planes of a drawing reach"),
    (".knob, .slide", r".*", "settings that are turned by hand"),
    (".check", r".*", "how near finite differences come: a check of numbers, not one of them"),
)  # fmt: skip
TEXTS = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const around = node.parentElement;
    if (!/[0-9]/.test(node.nodeValue) || around.closest("script, style, option")) continue;
    const cell = around.closest("[data-cell]");
    const listed = LISTED.flatMap((selector, i) => (around.closest(selector) ? [i] : []));
    const of = cell?.dataset.of ?? null; // the text whose run it is a number of, where that is another
    found.push([cell?.dataset.cell ?? null, of, Number(cell?.dataset.value), node.nodeValue.trim(), listed]);
  }
  return found;
}""".replace("LISTED", json.dumps([where for where, _, _ in NOT_CELLS]))
NUMBER = re.compile(r"-?(?:\d[\d,]*)?\.?\d+(?:e[-+]?\d+)?")
SCREENS = {
    "fox": {"text": "The quick brown fox", "next": "jumps"},
    "two-heads": {"text": "On the mat a cat sat", "next": "purring"},
    "english": {"text": "Once upon a time there was a little", "next": "girl"},
    "masked": {"text": "Once upon a time there was a girl", "query": "time"},
}


def is_written(value: float, text: str) -> bool:
    """Whether one of the numbers in a text is this one, to its digits: also its size, and in percent."""
    for found in NUMBER.findall(text.replace("−", "-")):
        mantissa, _, exponent = found.replace(",", "").partition("e")
        last = 0.500001 * 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
        said = float(found.replace(",", ""))
        if any(abs(abs(said) - abs(times * value)) <= last for times in (1, 100)):
            return True
    return not math.isfinite(value) and "∞" in text


def opens(trace: Trace, cell: Cell, seen: dict) -> None:
    """Down to what was given: every number on the way names the numbers that it was computed from."""
    waiting = [cell]
    while waiting:
        current = waiting.pop()
        key = (id(current.run), current.step.name)
        if current in seen.setdefault(key, set()) or len(seen[key]) >= CELLS_OF_A_STEP:
            continue
        seen[key].add(current)
        why = trace.why(current)
        if why.is_given:
            continue
        # what nothing was added to, or what is hidden, is nothing: there is no cell to name
        read = why.read_by(abridged(why.expression, TERMS))
        assert read or why.value in (0.0, -math.inf), f"{why.name} = {why.text()} opens to nothing"
        waiting += read


def check_numbers(page, trace: Trace, found: set[str], seen: dict, explain=None) -> None:
    """Every number of the page as it stands: a cell of the trace, which opens, or one of the exceptions."""
    others: dict[str, Trace] = {}
    for cell, of, value, text, listed in page.evaluate(TEXTS):
        if cell is None:
            may = [NOT_CELLS[i][1] for i in listed]
            assert any(re.fullmatch(pattern, text, re.DOTALL) for pattern in may), f"{text!r} is no cell"
            continue
        key = cell if of is None else f"{of}: {cell}"
        if key not in found:
            found.add(key)
            if of is not None and of not in others:
                others[of] = (explain or partial(regard.explain, model=trace.info["model"]))(of)
            run = trace if of is None else others[of]
            there = run.cell(cell)
            assert value == pytest.approx(there.value, rel=1e-9, abs=1e-12, nan_ok=True), key
            opens(run, there, seen)
        is_name = any(re.fullmatch(NOT_CELLS[1][1], text) for i in listed if i == 1)
        assert is_name or is_written(value, text), (cell, value, text)


@pytest.mark.parametrize("model", SCREENS)
def test_every_number_in_the_page_is_a_cell_that_opens(model, opened):
    asked = SCREENS[model]
    trace = regard.explain(model=model, **asked)
    trace = trace if trace.of is not None else trace.backward()
    page = opened(urlencode({"model": model, "tab": "numbers", "backward": 1, **asked}))
    settled(page)
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    found: set[str] = set()
    seen: dict = {}
    for stage in page.locator("nav[aria-label='the twelve stages'] button").all():
        stage.click()
        settled(page)
        check_numbers(page, trace, found, seen)
    for name in MEASURED[len(trace.parameters) > MOST_OF_A_TOY]:
        assert any(re.search(name, cell) for cell in found), f"no number of the page is a cell {name}"
    if model == "english":
        for _ in range(2):
            page.get_by_role("button", name="next word", exact=True).click()
            page.wait_for_selector(".writing table")
            settled(page)
            check_numbers(page, trace, found, seen)
        assert any(re.search(r": probabilities\[\d+\]$", cell) for cell in found), "no word that was written opens"
    also = json.dumps([" ".join(asked["text"].split()[-3:])])
    shown = {"model": model, "page": "gravity", "also": also, **asked}
    page.goto(page.url.partition("#")[0] + "#" + urlencode(shown))
    mixed = page.get_by_label("in both sentences")  # of a toy, one run stands between the two
    expect(page.locator("article table")).to_have_count(1 if model in MIXED else 2)
    if model in MIXED:
        expect(mixed.locator("[data-cell]").first).to_be_visible()
        return  # its numbers are compared in test_gravity_on_the_page.py
    if model == "masked":  # nothing needs to be hidden to see how a word is moved
        as_written = find_model(model).as_written
        check_numbers(page, as_written(asked["text"]), found, {}, as_written)
    else:
        check_numbers(page, trace, found, seen)
    for which in ("", ": "):
        assert any(re.search(rf"{which}\S+\.pull\.along\[", cell) for cell in found)


MIXED = ("fox", "two-heads")

LONG = (
    "Once upon a time there was a little girl who lived in a small house near the sea and she had a dog and a cat named"
)


def test_what_a_shortened_table_leaves_out_is_a_cell(opened):
    trace = regard.explain(LONG, model="english")
    page = opened(urlencode({"model": "english", "text": LONG}))
    settled(page)
    for stage in ("Score", "Heads", "Logits"):
        page.get_by_label("the twelve stages").get_by_role("button", name=stage).click()
        settled(page)
    found: set[str] = set()
    check_numbers(page, trace, found, {})
    for most in (12, 24):
        assert any(f".weights.rest{most}[" in cell for cell in found), most


def test_a_number_of_the_run_of_another_text_opens_there(opened):
    """Gravity's other sentences, and links to them."""
    texts = {"text": "The quick brown fox", "next": "jumps", "also": json.dumps(["brown fox", "quick fox"])}
    page = opened(urlencode({"model": "fox", "page": "gravity", **texts}))
    number = page.locator('td [data-of="brown fox"][data-cell*=".pull.along["]').first
    address = number.get_attribute("data-cell")
    number.click()
    drawer = page.locator(".drawer")
    there = regard.explain("brown fox", model="fox")
    expect(drawer.locator(".line")).to_have_attribute("data-text", there.why(address).text())
    expect(drawer).to_contain_text("in the run of “brown fox”")
    page.wait_for_url(re.compile(r"of=brown\+fox"))
    page.reload()
    expect(page.locator(".drawer .line")).to_have_attribute("data-text", there.why(address).text())
    page.locator('td [data-cell*=".pull.along["]:not([data-of])').first.click()
    expect(page.locator(".drawer")).not_to_contain_text("in the run of")


def settled(page) -> None:
    """Nothing is waited for any more."""
    page.wait_for_function("() => !document.querySelector('[aria-busy=true]')")


@pytest.mark.parametrize(
    "model, kinds",
    [
        ("fox", ("sent", "contribution", "without.change", "blame.W_V", "after.loss")),
        ("english", ("sent", "contribution", "entropy", "says.probabilities", "after.loss")),
    ],
)
def test_a_measured_number_opens_where_it_was_computed(model, kinds, opened):
    """Also one of another run: its arithmetic names that run, and goes on there."""
    asked = SCREENS[model]
    trace = regard.explain(model=model, **asked).backward()
    page = opened(urlencode({"model": model, **asked}))
    settled(page)
    drawer = page.locator(".drawer")
    for kind in kinds:
        number = page.locator(f'button[data-cell^="{kind}"], button[data-cell*=".{kind}"]').first
        address = number.get_attribute("data-cell")
        number.click()
        expect(drawer.locator(".line")).to_have_attribute("data-text", trace.why(address).text())
    expect(drawer).to_contain_text("after one update")
    drawer.get_by_role("button", name="loss (after one update)").click()
    inner = drawer.locator(".line .line").first
    expect(inner).to_have_attribute("data-why", "after.loss:loss")
    expect(inner).to_have_attribute("data-text", trace.why("after.loss:loss").text())
