"""Contextual gravity on the page: arrows and numbers are the lens's, and the state is in the address."""

from urllib.parse import parse_qs, urlencode

import numpy as np
import pytest

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
    """Of each sentence: size and share by row of the table, and the length of each arrow by position."""
    return page.evaluate("""() => [...document.querySelectorAll("article[aria-label^='in ']")].map((article) => ({
        rows: [...article.querySelectorAll("tbody tr")].map((row) => [row.querySelector("th").textContent.trim(),
            Number(row.querySelector("[data-size]").dataset.size),
            Number(row.querySelector("[data-along]").dataset.along)]),
        way: Number(article.querySelector("[data-way]").dataset.way),
        arrows: Object.fromEntries([...article.querySelectorAll("[data-pull]")].map(
            (arrow) => [arrow.dataset.pull, Number(arrow.dataset.length)])),
    }))""")  # fmt: skip


def by_the_lens(model, texts, word, layer=None):
    found = find_model(model)
    return gravity([found.run(text) for text in texts], word, layer)


def assert_same(page, seen):
    for article, sentence in zip(shown(page), seen.sentences, strict=True):
        assert article["way"] == pytest.approx(sentence.way.value, rel=1e-12)
        pulls = {p.word + (" (itself)" if p.position == sentence.position else ""): p for p in sentence.pulls}
        pulls["the rest"] = sentence.rest
        assert len(article["rows"]) >= min(len(sentence.pulls), 7)
        for name, size, along in article["rows"]:
            parts = (*sentence.pulls, sentence.rest)
            same = [p for p in parts if p.size.value == pytest.approx(size, rel=1e-12, abs=1e-15)]
            assert same and any(p.along.value == pytest.approx(along, abs=1e-12) for p in same), name
            assert name in pulls
        for pull in sentence.pulls:
            assert article["arrows"][str(pull.position)] == pytest.approx(np.hypot(*pull.arrow), rel=1e-9, abs=1e-12)


def test_apple_is_pulled_to_fruit_and_to_technology(opened):
    page = opened("model=fox&text=The+quick+brown+fox&next=jumps")
    page.get_by_role("button", name="gravity", exact=True).click()
    page.get_by_role("button", name="apple: fruit or company?").click()
    expect(page.locator("article")).to_have_count(2)
    assert_same(page, by_the_lens("fruit-or-company", APPLE, "apple"))
    first, second = shown(page)
    assert first["rows"][0][0] == "orange" and second["rows"][0][0] == "phone"
    assert "This is the plane itself" in page.locator(".plane").inner_text()
    assert says(page, page="gravity", model="fruit-or-company", word="apple", also=f'["{APPLE[1]}"]')


def test_own_sentences_in_the_trained_model(opened):
    also = '["He put the money in the bank"]'
    page = opened(urlencode({"page": "gravity", "model": "english", "text": BANK[0], "word": "bank", "also": also}))
    expect(page.locator("article")).to_have_count(2)
    assert_same(page, by_the_lens("english", BANK, "bank"))
    assert "principal axes" in page.locator(".plane").inner_text() and "The plane shows" in page.inner_text("article")
    assert "the rest" in [name for name, *_ in shown(page)[0]["rows"]]
    before = page.locator("[data-way]").first.get_attribute("data-way")
    page.get_by_label("after layer").select_option("0")
    expect(page.locator("[data-way]").first).not_to_have_attribute("data-way", before)
    assert_same(page, by_the_lens("english", BANK, "bank", 0))
    assert says(page, layer="0")
    page.get_by_label("and in one more").fill("A bank")
    page.keyboard.press("Enter")
    expect(page.locator("article")).to_have_count(3)
    assert_same(page, by_the_lens("english", (*BANK, "A bank"), "bank", 0))
    page.get_by_role("button", name="closer").click()
    assert says(page, close="1")


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


def test_the_planes_stand_side_by_side_and_fit(opened):
    link = urlencode(
        {"page": "gravity", "model": "fruit-or-company", "text": APPLE[0], "word": "apple", "also": f'["{APPLE[1]}"]'}
    )
    for width in (1280, 800):
        page = opened(link, width=width)
        expect(page.locator("article")).to_have_count(2)
        boxes = [article.bounding_box() for article in page.locator("article").all()]
        assert boxes[0]["y"] == boxes[1]["y"] and boxes[0]["x"] < boxes[1]["x"]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        caption = page.locator("article caption").first.inner_text()
        assert "what pulled apple" in caption, "screen readers have a table"
