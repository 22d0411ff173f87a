"""A model of one's own on the page: a toy that is dropped or written, and one that is trained while one watches."""

import re

import pytest

from regard.lens.forming import formed, names_at
from regard.lens.naming import DETECTORS
from regard.models.shipped import FILM, WEIGHTS
from regard.toys.toy_file import toy_text
from regard.training.film_file import load_film

expect = pytest.importorskip("playwright.sync_api").expect
MINE = """sentence = "the small cat"
target = "sat"
[words]
the = [0.1, 0.2]
small = [0.4, 0.1]
cat = [0.9, 0.6]
[next]
sat = [0.8, 0.3]
ran = [0.2, 0.9]
"""
DROP = """([name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    for (const kind of ["dragover", "drop"])
        window.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""
STORY = "Once there was a small fox who liked to run. The fox ran to the hill, and the hill was green. " * 40


def loss(page):
    return float(page.locator("[data-cell='loss']").first.get_attribute("data-value"))


def test_a_toy_dropped_on_the_page_opens_and_its_link_holds_it(opened):
    page = opened()
    page.wait_for_selector("[data-cell]")
    page.evaluate(DROP, ["mine.toml", MINE])
    expect(page.get_by_label("sentence", exact=True)).to_have_value("the small cat")
    expect(page.locator("[data-cell='loss']").first).to_be_visible()
    expected = toy_text(MINE, "mine.toml").run("the small cat", "sat")["loss"]
    assert loss(page) == pytest.approx(float(expected), rel=1e-12)
    page.wait_for_function("() => location.hash.includes('toy=')")
    again = opened(page.evaluate("location.hash.slice(1)"))
    expect(again.get_by_label("sentence", exact=True)).to_have_value("the small cat")
    again.wait_for_selector("[data-cell='loss']")
    assert loss(again) == loss(page)


def test_what_is_wrong_with_it_is_said_by_line_and_column_and_can_be_put_right(browser, address):
    context = browser.new_context()
    page = context.new_page()  # the refusal stands in the console, too
    page.goto(address())
    page.wait_for_selector("[data-cell]")
    page.evaluate(DROP, ["mine.toml", MINE.replace("[0.4, 0.1]", "[0.4]")])
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("line 5, column 9: words.small expects 2 numbers, as many as the, got 1")
    page.get_by_role("button", name="line 5, column 9").click()
    chosen = "() => { const at = document.activeElement; return at.value.slice(at.selectionStart, at.selectionEnd) }"
    assert page.evaluate(chosen) == "[0.4]"
    page.keyboard.type("[0.4, 0.1]")
    page.get_by_role("button", name="open it").click()
    expect(page.get_by_label("sentence", exact=True)).to_have_value("the small cat")
    context.close()


def test_a_long_toy_is_kept_by_the_browser_and_says_so(opened):
    page = opened()
    page.get_by_role("button", name="make", exact=True).click()
    page.get_by_role("button", name="write it by hand").click()
    area = page.get_by_label("the toy, as TOML")
    area.fill(MINE)
    expect(page.get_by_text("a link to it will hold the toy itself")).to_be_visible()
    area.fill(MINE + "# why\n" * 400)
    expect(page.get_by_text("kept by this browser")).to_be_visible()
    page.get_by_role("button", name="open it").click()
    page.wait_for_function("() => location.hash.includes('model=mine.toml') && !location.hash.includes('toy=')")
    page.reload()
    expect(page.get_by_label("sentence", exact=True)).to_have_value("the small cat")
    page.wait_for_selector("[data-cell='loss']")


@pytest.mark.parametrize("scene", ["page=train", "page=read"])
def test_a_file_that_is_too_large_is_refused_the_same_whether_dropped_or_chosen(opened, scene):
    page = opened(scene)
    page.get_by_label("choose a file").set_input_files(
        {"name": "book.txt", "mimeType": "text/plain", "buffer": b"x" * 2_000_001}
    )
    expect(page.get_by_role("alert")).to_contain_text(
        "book.txt has 2,000,001 bytes; a text of at most 2,000,000 is taken here"
    )
    assert page.get_by_role("textbox").first.input_value() == ""


def test_a_text_is_trained_on_watched_and_looked_into(opened, request):
    page = opened("page=train")
    page.evaluate(DROP, ["My Story.txt", STORY])
    expect(page.get_by_label("called")).to_have_value("my-story")
    page.get_by_label("updates").fill("30")
    page.get_by_label("updates").blur()
    page.get_by_role("button", name="train", exact=True).click()
    status = page.get_by_role("status")
    watched = page.get_by_role("region", name="how it learns")  # where it says why it did not start
    expect(watched).to_contain_text(re.compile(r"update \d+, loss|ended after 30"), timeout=120_000)
    expect(page.get_by_role("img", name="loss ")).to_be_visible()
    expect(status).to_contain_text("ended after 30 updates", timeout=120_000)
    expect(page.locator(".samples li").first).to_contain_text("3")
    expect(page.locator("figure canvas").first).to_be_visible()
    film = page.get_by_role("figure", name="how its heads formed")
    expect(film.locator(".at")).to_contain_text("update 30, loss")
    film.get_by_role("slider", name="update").fill("0")
    expect(film.locator(".at")).to_have_text("update 0")
    expect(page.get_by_role("button", name="my-story (trained here")).to_be_visible()
    page.get_by_role("button", name="look inside").click()
    page.wait_for_function("() => location.hash.includes('model=runs')")
    page.wait_for_selector("[data-cell]")


def test_the_film_of_a_sister_of_english_shows_induction_heads_forming(opened):
    """Every name on the page is the one that the film has at that update."""
    shipped = load_film(WEIGHTS, FILM)
    page = opened("page=train")
    film = page.get_by_role("figure", name="how its heads formed")
    slider = film.get_by_role("slider", name="update")
    for look in (len(shipped) - 1, 5, 0):
        slider.fill(str(look))
        expect(film.locator(".at")).to_contain_text(f"update {shipped.updates[look]:,}")
        names = {place: DETECTORS[habit].name for place, habit in names_at(shipped, look).items()}
        expect(film.locator("[data-head] i")).to_have_text([names.get(place, "") for place in shipped.heads])
    (first, *_) = [one for one in formed(shipped) if one.habit == "induction"]
    film.get_by_role("button", name="induction").first.click()
    expect(film.locator(".at")).to_contain_text(f"update {first.since:,}")
    film.get_by_role("button", name="play").click()
    expect(film.locator(".at")).not_to_contain_text(f"update {first.since:,}")
