"""Lessons as a person takes them: predict, be told which mistake it was, answer well, see the numbers."""

import re

import pytest

from regard.lessons import LESSONS, lesson
from regard.lessons.glossary import reading_for

expect = pytest.importorskip("playwright.sync_api").expect
TAUGHT = [name for name in LESSONS if lesson(name).cards]


def number(name, title):
    """Which card of a lesson has this title, counted from 1."""
    return [card.title for card in lesson(name).cards].index(title) + 1


def typed(page, answer):
    if page.locator(".choice").count():
        page.locator(".choice", has_text=re.compile(f"^{re.escape(answer)}$")).click()
    else:
        page.fill("#answer", answer)
        page.keyboard.press("Enter")


def verdict(page):
    return page.locator(".verdict b").inner_text().strip("✗✓≈ .")


def stands(page, name, card, revealed):
    """Whether the address says so, once it is written: that waits until a hand rests."""
    page.wait_for_function(
        """([lesson, card, revealed]) => {
          const said = new URLSearchParams(location.hash.slice(1));
          return said.get("lesson") === lesson && (said.get("card") ?? "1") === card
            && (said.get("revealed") ?? "0") === revealed;
        }""",
        arg=[name, str(card), str(revealed)],
    )
    return True


def test_a_lesson_with_a_wrong_and_a_right_answer(opened):
    page = opened("model=fox&text=The+quick+brown+fox&next=jumps")
    page.get_by_role("button", name="lessons", exact=True).click()
    page.get_by_role("button", name="The quick brown fox jumps").click()
    expect(page.locator("#card-title")).to_have_text(lesson("fox").cards[0].title)
    score = number("fox", "A score")
    page.evaluate(f"location.hash = '#lesson=fox&card={score}'")
    expect(page.locator("#card-title")).to_have_text("A score")
    assert "Toy Example (Fox Sentence), line 285: 5. Role of Query" in page.locator(".source").inner_text()
    cell = page.locator('[data-cell="layer0.scores[0,3,2]"]').first
    assert cell.inner_text() == "?" and cell.get_attribute("data-value") is None, "what is asked for is not shown"
    typed(page, "0.24")
    assert verdict(page) == "only the first product" and stands(page, "fox", score, 0)
    assert "the documents say" not in page.locator(".card").inner_text()
    page.fill("#answer", "0.54")
    page.keyboard.press("Enter")
    assert verdict(page) == "Right" and stands(page, "fox", score, 2)
    assert cell.inner_text() == "0.54" and page.locator(".card .line").first.get_attribute("data-text").startswith(
        "0.54"
    )
    assert page.locator("[data-mistake]").count() == 3
    assert "what the documents behind this example say" in page.locator(".card").inner_text()
    page.keyboard.press("Enter")  # the focus is on next
    expect(page.locator("#card-title")).to_have_text("Scaled")
    assert stands(page, "fox", score + 1, 0)
    dims = page.evaluate("[...document.querySelectorAll('section.dim')].map((s) => s.dataset.stage)")
    lit = page.evaluate("[...document.querySelectorAll('section:not(.dim)')].map((s) => s.dataset.stage)")
    assert lit == ["4"] and "3" in dims
    assert not page.locator("#stage-5").is_visible(), "what comes later is not shown yet"


@pytest.mark.parametrize("name", TAUGHT)
def test_every_mistake_is_named_and_every_answer_is_right(name, opened):
    page = opened(f"lesson={name}")
    for number, card in enumerate(lesson(name).ask(), start=1):
        expect(page.locator("#card-title")).to_have_text(card.title)
        assert stands(page, name, number, 0)
        if card.veils and card.cell and card.cell.startswith(f"{card.veils}["):
            assert page.locator(f'[data-cell="{card.cell}"][data-value] >> visible=true').count() == 0
        for mistake in card.mistakes:
            typed(page, card.written(mistake.value))
            assert verdict(page) == mistake.name, card.title
        typed(page, card.written(card.answer))
        assert verdict(page) == "Right"
        page.wait_for_selector(".shown")
        shown = {
            e.get_attribute("data-mistake"): e.get_attribute("data-value") for e in page.locator("[data-mistake]").all()
        }
        for mistake in card.mistakes:
            value = shown[mistake.name]
            assert (value if isinstance(mistake.value, str) else float(value)) == mistake.value
        if card.cell and page.locator(f'[data-cell="{card.cell}"]').count():
            value = page.locator(f'[data-cell="{card.cell}"]').first.get_attribute("data-value")
            assert float(value) == pytest.approx(card.answer, abs=1e-12)
        if number < len(lesson(name).cards):
            page.locator("button.next").click()
    assert page.locator("ol .right").count() == len(lesson(name).cards)
    assert page.locator(".reading cite").all_inner_texts() == [text.name for text in reading_for(name)]
    assert page.locator(".remarks p").count() == len(lesson(name).remarks(lesson(name).make()))


def test_a_teacher_reveals_step_by_step_with_keys(opened):
    page = opened("lesson=cat&card=2")
    page.wait_for_selector("#card-title")
    page.locator("#card-title").click()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("r")
    page.wait_for_selector(".hint")
    assert stands(page, "cat", 2, 1) and page.locator(".shown").count() == 0
    page.keyboard.press("r")
    page.wait_for_selector(".shown")
    assert stands(page, "cat", 2, 2) and "0.6652" in page.locator(".shown").inner_text()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#answer:not([disabled])")
    assert stands(page, "cat", 3, 0)
    page.keyboard.press("ArrowLeft")  # an empty field lets it pass
    expect(page.locator("#card-title")).to_have_text("Softmax")
    assert stands(page, "cat", 2, 0)


def test_a_link_opens_a_card_as_it_was_shared(opened):
    page = opened(f"lesson=fox&card={number('fox', 'One update')}&revealed=2")
    page.wait_for_selector(".shown")
    expect(page.locator(".summary strong")).to_have_text("jumps")
    assert page.locator(".choice.answer").inner_text() == "jumps"
    page.evaluate(f"location.hash = '#lesson=fox&card={number('fox', 'A share of the whole')}'")
    expect(page.locator("#card-title")).to_have_text("A share of the whole")
    page.get_by_role("button", name="explore freely").click()
    page.wait_for_selector("form.bar")
    expect(page).to_have_url(re.compile("#model=fox(?!.*card)"))


def test_rounding_and_signs_are_told_apart(opened):
    page = opened(f"lesson=fox&card={number('fox', 'A probability')}")
    for answer, said in {"0.26": "cut off, not rounded", "0.3": "more digits", "-0.27": "the sign", "27": "in percent",
                         "fox": "a number", "0.9": "not yet", "0.28": "rounding"}.items():  # fmt: skip
        typed(page, answer)
        assert verdict(page) == said, answer


def test_the_card_comes_first_on_a_narrow_screen(opened):
    page = opened("lesson=masks&card=2", width=800)
    page.wait_for_selector("#card-title")
    card, stage = page.locator(".card").bounding_box(), page.locator("#stage-5").bounding_box()
    assert card["y"] < stage["y"] and not page.locator("#stage-1").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 800


def test_the_film_of_a_lesson_moves_through_its_updates(opened):
    found = lesson("pressure")
    films = [frames.data() for frames in found.frames(found.make())]
    page = opened("lesson=pressure")
    page.get_by_role("button", name="film: update 0 → 100").click()
    film = page.get_by_label("film of the lesson")
    expect(film).to_be_in_viewport()
    slider = film.get_by_role("slider", name="update")
    for row, key in ((7, None), (0, "Home"), (1, "ArrowRight"), (2, "ArrowRight")):
        if key:
            slider.press(key)
        expect(slider).to_have_attribute("aria-valuetext", f"update {films[0]['rows'][row]['name']}")
        shown = film.locator("[data-column]").evaluate_all(
            "all => all.map((one) => [one.dataset.column, one.textContent])"
        )
        told = [(c["name"], w) for f in films for c, w in zip(f["columns"], f["rows"][row]["written"])]
        assert [name for name, _ in shown] == [name for name, _ in told]
        assert all(text.split()[-1] == written for (_, text), (_, written) in zip(shown, told))
    assert film.locator('[data-panel="q·k"] .line').count() == 4
    chart = film.locator('[data-panel="α"] svg')
    expect(chart).to_have_attribute("aria-label", re.compile(r"α at update 2: The 0\.0983, quick 0\.0486"))
    box = chart.bounding_box()
    page.mouse.move(box["x"] + 2, box["y"] + box["height"] / 2)
    expect(slider).to_have_attribute("aria-valuetext", "update 0")
    film.get_by_role("button", name="play").click()
    expect(slider).to_have_attribute("aria-valuetext", "update 1")
    film.get_by_role("button", name="pause").click()


def test_runs_that_do_not_follow_one_another_stand_in_a_table(opened):
    page = opened("lesson=it")
    page.get_by_role("button", name="side by side").click()
    film = page.get_by_label("film of the lesson")
    expect(film.locator("tbody th")).to_have_text(["tired", "wide"] * 2)
    expect(film.get_by_role("slider")).to_have_count(0)


def test_the_lessons_are_listed(opened):
    page = opened("page=lessons")
    page.wait_for_selector(".catalogue li button")
    assert page.locator(".catalogue li button").count() == len(TAUGHT)
