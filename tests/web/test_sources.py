"""What documents claim stands behind a switch, and speaks of the run that nobody touched."""

from urllib.parse import urlencode

import pytest

expect = pytest.importorskip("playwright.sync_api").expect
FOX = "model=fox&text=The+quick+brown+fox&next=jumps"


def test_a_learner_sees_no_verdicts_until_they_are_asked_for_and_the_answer_is_remembered(opened):
    page = opened(FOX + "&stage=9")
    switch = page.get_by_role("switch", name="sources")
    expect(switch).to_have_attribute("aria-checked", "false")
    assert "✗" not in page.inner_text("body") and "not right" not in page.inner_text("body")
    expect(page.locator(".claims li")).to_have_count(0)
    switch.click()
    expect(page.locator(".claims li").first).to_be_visible()
    assert "rounded" in page.inner_text(".claims") and "untouched" not in page.inner_text(".claims")
    page.reload()
    expect(page.get_by_role("switch", name="sources")).to_have_attribute("aria-checked", "true")


def test_after_a_change_claims_belong_to_the_untouched_run(opened):
    page = opened(FOX + "&stage=9&" + urlencode({"changes": '[{"kind":"update","rate":0.1}]'}))
    page.get_by_role("switch", name="sources").click()
    expect(page.get_by_text("They speak of the untouched run")).to_be_visible()
    for verdict in page.locator(".claims em").all_inner_texts():
        assert verdict.endswith(", untouched")


def test_the_lessons_count_no_faults_unless_asked(opened):
    page = opened("page=lessons")
    page.wait_for_selector("main li button")
    assert "not right" not in page.inner_text("main")
