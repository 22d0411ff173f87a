"""The whys as switches: each says what it would do to the loss, does it when thrown, and stands in the link."""

import pytest

import regard
from regard.trace.switches import switch_named

expect = pytest.importorskip("playwright.sync_api").expect
TWO = "page=explorer&model=two-heads&text=On+the+mat+a+cat+sat&next=purring"


@pytest.fixture(scope="module")
def trace():
    return regard.explain("On the mat a cat sat", next="purring", model="two-heads")


def shows(page, cell, expected):
    page.wait_for_function(
        "([cell, expected]) => [...document.querySelectorAll(`[data-cell='${cell}']`)].some((one) => "
        "Math.abs(one.dataset.value - expected) < 1e-9)",
        arg=[cell, float(expected)],
    )


def now(page, expected):
    shows(page, "loss", expected)


def test_switches_say_what_they_would_do_and_do_it(opened, trace):
    page = opened(TWO)
    for name, label in (
        ("keys-are-values", "are the keys"),
        ("queries-are-keys", "are the queries"),
        ("heads-added", "added up"),
    ):
        shows(page, f"instead.{name}.change", trace[f"instead.{name}.change"])  # what-ifs follow after the next frame
        page.get_by_role("button", name=label, exact=True).click()
        now(page, trace[f"instead.{name}.loss"])
        page.get_by_role("button", name="side by side" if name == "heads-added" else "a map of their own").first.click()
        if name == "queries-are-keys":
            page.get_by_role("button", name="a map of their own").last.click()
        now(page, trace["loss"])


def test_a_head_is_silenced_a_temperature_set_and_the_link_holds_both(opened, trace):
    page = opened(TWO)
    page.locator("dd button:text-is('head 1')").click()
    silent = trace.pin("W_O", trace.array("layer0.W_O") * [[[1.0]], [[0.0]]])
    now(page, silent["loss"])
    page.get_by_label("temperature", exact=True).fill("45")
    knob = page.locator("label:has([aria-label='temperature']) .value")
    expect(knob).not_to_have_text("1")
    value = float(knob.inner_text())
    now(page, switch_named("temperature").thrown(silent, value)["loss"])
    page.wait_for_function("() => location.hash.includes('silence') && location.hash.includes('temperature')")
    again = opened(page.evaluate("location.hash.slice(1)"))
    now(again, switch_named("temperature").thrown(silent, value)["loss"])


def test_a_mask_is_painted(opened, trace):
    page = opened(TWO)
    page.get_by_role("button", name="paint").click()
    cell = page.get_by_role("button", name="sat reads mat")
    expect(cell).to_have_attribute("aria-pressed", "true")
    cell.click()
    visible = trace.array("visible").copy()
    visible[5, 2] = False
    now(page, trace.pin("visible", visible)["loss"])
    expect(cell).to_have_attribute("aria-pressed", "false")
