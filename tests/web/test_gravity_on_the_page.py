"""Contextual gravity on the page: arrows and numbers are the lens's, and the state is in the address."""

import re
from urllib.parse import parse_qs, urlencode

import numpy as np
import pytest

from regard.lens.alike import cosines
from regard.lens.gravity import gravity
from regard.models.catalogue import find_model

APPLE = ("I bought an apple and an orange", "Apple unveiled a new phone")
expect = pytest.importorskip("playwright.sync_api").expect
BANK = ("He sat by the river bank", "He put the money in the bank")


def says(page, /, **expected):
    """Whether the address says so, once it is written: that waits until a hand rests."""
    for _ in range(300):
        found = {name: values[0] for name, values in parse_qs(page.evaluate("location.hash.slice(1)")).items()}
        if all(found.get(name) == value for name, value in expected.items()):
            return True
        page.wait_for_timeout(100)
    return False


def shown(page):
    """Of each table: size and share by row, and the length of each arrow of its sentence by position."""
    return page.evaluate("""() => [...document.querySelectorAll("article")].map((article, number, all) => {
        const drawn = all.length > 1 ? number : Math.max(...[...document.querySelectorAll("[data-pull]")].map(
            (arrow) => Number(arrow.dataset.sentence)));
        return {
            rows: [...article.querySelectorAll("tbody tr")].map((row) => [row.querySelector("th").textContent.trim(),
                Number(row.querySelector("[data-size]").dataset.size),
                Number(row.querySelector("[data-along]").dataset.along)]),
            way: Number(article.querySelector("[data-way]").dataset.way),
            arrows: Object.fromEntries([...document.querySelectorAll(`[data-sentence="${drawn}"]`)].map(
                (arrow) => [arrow.dataset.pull, Number(arrow.dataset.length)])),
        };
    })""")  # fmt: skip


def by_the_lens(model, texts, word, layer=None, as_written=False):
    found = find_model(model)
    return gravity([found.as_written(text) if as_written else found.run(text) for text in texts], word, layer)


def assert_same(page, seen):
    for article, sentence in zip(shown(page), seen.sentences, strict=True):
        assert article["way"] == pytest.approx(sentence.way.value, rel=1e-9)
        assert len(article["rows"]) >= min(len(sentence.pulls), 6)
        parts = (*sentence.pulls, sentence.rest)
        for name, size, along in article["rows"]:
            same = [p for p in parts if p.size.value == pytest.approx(size, rel=1e-9, abs=1e-12)]
            assert same and any(p.along.value == pytest.approx(along, abs=1e-9) for p in same), name
            word = re.sub(r" \(itself\)| ?[①②]|[₀-₉]+$", "", name)
            assert name == "the rest" or word in {p.word for p in same}, name
        for pull in sentence.pulls:
            assert article["arrows"][str(pull.position)] == pytest.approx(np.hypot(*pull.arrow), rel=1e-6, abs=1e-9)


def mixed(share, texts=APPLE, word="apple", model="fruit-or-company"):
    """Both sentences as one text, the word's weights mixed: the run that the page draws, made here."""
    found = find_model(model)
    one, two, both = (found.run(text) for text in (*texts, " ".join(texts)))
    row, other = (gravity([trace], word).sentences[0].position for trace in (one, two))
    weights = both.array("layer0.weights").copy()
    weights[:, row] = np.concatenate(
        [(1 - share) * one.array("layer0.weights")[:, row], share * two.array("layer0.weights")[:, other]], axis=-1
    )
    return gravity([both.pin("layer0.weights", weights)], f"{both.labels.plain('T', row)}@{row}")


def end(page, number):
    point = page.locator(f"[data-end='{number}']")
    return [float(point.get_attribute(f"data-{axis}")) for axis in "xy"]


def test_gravity_opens_on_apple_and_a_slider_takes_it_from_fruit_to_company(opened):
    page = opened("model=fox&text=The+quick+brown+fox&next=jumps")
    page.get_by_role("button", name="gravity", exact=True).click()
    expect(page.locator("[data-end]")).to_have_count(3)
    fruit, company = by_the_lens("fruit-or-company", APPLE, "apple").sentences
    assert end(page, 0) == pytest.approx(fruit.contextual) and end(page, 1) == pytest.approx(company.contextual)
    slider = page.get_by_label("the share of the second sentence")
    for share, there in ((0, fruit.contextual), (0.35, None), (1, company.contextual)):
        slider.fill(str(share))
        way = mixed(share).sentences[0].way.value
        page.wait_for_function(
            "way => Math.abs(document.querySelector('article [data-way]').dataset.way - way) < 1e-9", arg=way
        )
        assert_same(page, mixed(share))
        assert there is None or end(page, 2) == pytest.approx(there)
    assert shown(page)[0]["rows"][0][0] == "phone"
    assert "This is the plane itself" in page.locator(".plane").inner_text()
    assert says(page, page="gravity", model="fruit-or-company", word="apple", also=f'["{APPLE[1]}"]', share="1")


def test_an_address_that_names_only_the_scene_opens_on_apple_too(opened):
    page = opened("page=gravity")
    expect(page.locator("[data-end]")).to_have_count(3)
    assert says(page, page="gravity", model="fruit-or-company", word="apple", also=f'["{APPLE[1]}"]')


def test_a_number_between_two_sentences_opens_in_the_run_that_it_is_of(opened):
    also = f'["{APPLE[1]}"]'
    state = {"page": "gravity", "model": "fruit-or-company", "text": APPLE[0], "word": "apple", "also": also}
    page = opened(urlencode({**state, "share": 0.25}))
    number = page.locator("article tbody [data-cell]").first
    number.click()
    drawer = page.get_by_label("the arithmetic of", exact=False)
    expect(drawer).to_contain_text(" ".join(APPLE))
    said = f"{float(number.get_attribute('data-value')):.4f}"
    expect(drawer.locator(".line").first).to_contain_text(said)


def test_whoever_has_written_a_sentence_keeps_it(opened):
    page = opened("model=fox&text=The+brown+fox")
    page.get_by_role("button", name="gravity", exact=True).click()
    expect(page.locator("article")).to_have_count(1)
    assert_same(page, by_the_lens("fox", ["The brown fox"], "fox"))


def test_own_sentences_in_the_trained_model(opened):
    also = '["He put the money in the bank"]'
    page = opened(urlencode({"page": "gravity", "model": "english", "text": BANK[0], "word": "bank", "also": also}))
    expect(page.locator("article")).to_have_count(2)
    assert_same(page, by_the_lens("english", BANK, "bank"))
    assert "principal axes" in page.locator(".plane").inner_text()
    assert "the rest" in [name for name, *_ in shown(page)[0]["rows"]]
    before = page.locator("[data-way]").first.get_attribute("data-way")
    page.get_by_label("after layer").fill("0")
    expect(page.locator("[data-way]").first).not_to_have_attribute("data-way", before)
    assert_same(page, by_the_lens("english", BANK, "bank", 0))
    assert says(page, layer="0")
    page.get_by_role("button", name="your own sentences").click()
    page.get_by_label("and in one more").fill("A bank")
    page.keyboard.press("Enter")
    expect(page.locator("article")).to_have_count(3)
    assert_same(page, by_the_lens("english", (*BANK, "A bank"), "bank", 0))
    page.get_by_role("button", name="closer").click()
    assert says(page, close="1")


def test_a_model_that_guesses_hidden_words_hides_none_here_and_says_what_a_word_comes_near(opened):
    page = opened("model=fox&text=The+quick+brown+fox&page=gravity")
    page.get_by_role("button", name="light: a lamp or a feather?").click()
    expect(page.get_by_role("list", name="sentences")).to_contain_text("She turned on the light in the dark room")
    texts = ("She turned on the light in the dark room", "The bag was very light and easy to carry")
    expect(page.locator("article")).to_have_count(2)
    assert_same(page, by_the_lens("masked", texts, "light", as_written=True))
    found = find_model("masked")
    first = page.locator(".right table").first
    expect(first).to_contain_text("how near")
    for text, of in zip(texts, (None, texts[1])):
        trace = found.as_written(text)
        place = gravity([trace], "light").sentences[0].position
        selector = ":not([data-of])" if of is None else f"[data-of='{of}']"
        cell = first.locator(f"tr:has(th:text-is('lamp')) [data-cell]{selector}")
        expected = cosines(trace, place, "lamp")["layer5"].value
        assert float(cell.get_attribute("data-value")) == pytest.approx(expected, rel=1e-9)
    assert says(page, as_written="1", model="masked")


def test_a_word_that_is_not_there_is_named(browser, address):
    context = browser.new_context()
    page = context.new_page()  # the refusal stands in the console, too
    state = urlencode({"page": "gravity", "model": "fox", "text": "The quick brown fox", "word": "bear"})
    page.goto(address(state))
    page.wait_for_selector("[role=alert]")
    assert "'bear' is not in" in page.locator("[role=alert]").inner_text()
    page.get_by_label("the word").fill("fox")
    page.keyboard.press("Enter")
    page.wait_for_selector("article")
    assert page.locator("[role=alert]").count() == 0
    context.close()


def test_all_of_it_fits_and_has_a_table_for_screen_readers(opened):
    link = urlencode(
        {"page": "gravity", "model": "fruit-or-company", "text": APPLE[0], "word": "apple", "also": f'["{APPLE[1]}"]'}
    )
    for width, height in ((1280, 800), (800, 900), (375, 812)):
        page = opened(link, width=width, height=height)
        expect(page.locator("[data-end]")).to_have_count(3)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if width == 1280:
            last = page.locator("article").bounding_box()
            assert last["y"] + last["height"] <= height, "no scrolling"
        assert "what pulled apple" in page.locator("article caption").first.inner_text()
