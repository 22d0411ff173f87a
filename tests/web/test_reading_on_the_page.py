"""The read scene: a page that is pasted or dropped comes alive, shown as it is meant where that is simple."""

import pytest

expect = pytest.importorskip("playwright.sync_api").expect


def test_a_pasted_page_is_read_its_numbers_open_and_markdown_is_shown_as_it_is_meant(opened):
    page = opened("page=read")
    page.get_by_label("a page of text").fill("# Weights\n\nSo **0.5*0.66** + 0.2*0.525 = 0.445.\n\nAnd `2 + 2 = 4`.\n")
    page.get_by_role("button", name="read it").click()
    expect(page.get_by_role("heading", name="Weights")).to_have_text("Weights")
    assert "**" not in page.locator(".page").inner_text()
    page.get_by_role("button", name="as written").click()
    expect(page.locator(".page")).to_contain_text("# Weights")
    page.get_by_role("button", name="as written").click()
    page.get_by_role("button", name="another page").click()
    page.get_by_role("button", name="an example").click()
    page.get_by_role("button", name="read it").click()
    wrong = page.locator("button.mark.fails")
    expect(wrong).to_have_text(["1.5"])
    wrong.click()
    expect(page.get_by_label("arithmetic")).to_contain_text("1.386")


def test_a_page_that_is_dropped_is_read(opened):
    page = opened()
    page.wait_for_selector("[data-cell]")
    page.evaluate(
        """() => { const data = new DataTransfer(); data.items.add(new File(["We know 2 * 3 = 7."], "notes.txt"));
        window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true })); }"""
    )
    expect(page.locator("button.mark.fails")).to_have_text("7")
