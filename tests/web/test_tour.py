"""The tour: one number, twelve stages, through the explorer itself."""

import re

import pytest
from playwright.sync_api import Page, expect

import regard

STAGE = "nav[aria-label='the twelve stages'] [aria-current=step]"


def begun(page: Page) -> None:
    page.get_by_role("button", name="Follow one number").click()


def test_it_walks_through_all_twelve_stages_each_with_a_number_of_the_run(opened):
    page = opened("page=opening")
    begun(page)
    trace = regard.explain("The quick brown fox", next="jumps").backward()
    tour = page.get_by_label("follow one number")
    for stage in range(1, 13):
        expect(tour.locator(".stage")).to_have_text(re.compile(rf"^{stage} "))
        expect(page.locator(STAGE)).to_have_text(re.compile(rf"^\s*{stage}[A-Z]"))
        if stage < 12:
            expect(page.locator(f"#stage-{stage}")).to_be_in_viewport()
            number = tour.locator("[data-cell]")
            value = float(number.get_attribute("data-value") or "nan")
            assert value == pytest.approx(float(trace.cell(number.get_attribute("data-cell") or "").value), rel=1e-12)
            tour.get_by_role("button", name="on", exact=True).click()
    expect(tour.get_by_role("button", name="on", exact=True)).to_be_disabled()
    tour.get_by_role("button", name="stay here").click()
    expect(tour).to_have_count(0)
    expect(page.locator(".outcome strong")).to_have_text("fox")


def test_it_plays_by_itself_can_be_paused_and_is_remembered(opened):
    page = opened("page=opening", reduced_motion="no-preference")
    page.clock.install()
    begun(page)
    tour = page.get_by_label("follow one number")
    expect(tour.locator(".stage")).to_have_text("1 Embed")
    page.clock.fast_forward(8_000)
    expect(tour.locator(".stage")).to_have_text("2 Q·K·V")
    tour.get_by_role("button", name="pause").click()
    page.clock.fast_forward(30_000)
    expect(tour.locator(".stage")).to_have_text("2 Q·K·V")
    tour.get_by_role("button", name="stay here").click()
    page.get_by_role("button", name="regard", exact=True).click()
    begun(page)
    expect(tour.locator(".stage")).to_have_text("2 Q·K·V")


def test_whoever_comes_by_keys_stands_at_the_button_that_stops_it(opened):
    page = opened("page=opening", reduced_motion="no-preference")
    page.get_by_role("button", name="Follow one number").focus()
    page.keyboard.press("Enter")
    pause = page.get_by_label("follow one number").get_by_role("button", name="pause")
    expect(pause).to_be_focused()
    page.keyboard.press("Enter")
    expect(pause).to_have_count(0)


def test_nothing_plays_for_those_who_asked_for_calm(opened):
    page = opened("page=opening")
    begun(page)
    tour = page.get_by_label("follow one number")
    expect(tour.get_by_role("button", name="play")).to_be_visible()
    page.keyboard.press("Escape")
    expect(tour).to_have_count(0)


PHONE = {"width": 390, "height": 844}


def test_every_number_of_it_is_read_whole_on_a_phone(opened):
    page = opened("page=opening", **PHONE)
    begun(page)
    tour = page.get_by_label("follow one number")
    for stage in range(1, 12):
        expect(tour.locator(".stage")).to_have_text(re.compile(rf"^{stage} "))
        number = tour.locator("[data-cell]").evaluate("cell => cell.getBoundingClientRect().right")
        said = tour.locator(".says").evaluate("says => says.getBoundingClientRect().right")
        assert number <= said, f"stage {stage}: {tour.locator('.number').inner_text()}"
        tour.get_by_role("button", name="on", exact=True).click()


@pytest.mark.parametrize("size", [PHONE, {"width": 1280, "height": 800}])
def test_at_its_last_stop_the_model_can_be_trained_and_watched(opened, size):
    page = opened("page=opening", **size)
    begun(page)
    for _ in range(11):
        page.get_by_label("follow one number").get_by_role("button", name="on", exact=True).click()
    learning = page.get_by_role("group", name="learning")
    for times in ("×1", "×10", "×100"):
        learning.get_by_role("button", name=times, exact=True).click(trial=True, timeout=3000)
    learning.get_by_label("rate").click(trial=True, timeout=3000)


def test_no_line_is_cut_by_what_stays_above_a_stage_of_an_edited_run(opened):
    page = opened("page=opening", **PHONE)
    page.get_by_role("slider").last.press("ArrowDown")
    expect(page.get_by_role("button", name="put it back")).to_be_visible()
    begun(page)
    first = page.locator("#stage-1")
    expect(first).to_be_in_viewport()
    above = page.get_by_role("button", name="why jumps, not fox? flow →")
    page.wait_for_function(
        "() => Math.abs(document.querySelector('#stage-1').getBoundingClientRect().top"
        " - document.querySelector('div.under').getBoundingClientRect().bottom) < 20"
    )
    stays = page.locator("div.under").evaluate("under => under.getBoundingClientRect().bottom")
    assert above.evaluate("line => line.getBoundingClientRect().bottom") <= stays
