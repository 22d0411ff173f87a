"""`regard read`: a page alive, opened from the disk as a reader would; hostile pages stay text."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from regard.cli.main import run

PAGE = """# A handout

So 0.5*0.66 + 0.2*0.525 = 0.445, and 0.1*0.66 + 0.6*0.525 = 0.381.

| word | score | softmax |
|------|-------|---------|
| the  | 1     | 0.09    |
| cat  | 2     | 0.34    |
| sat  | 3     | 0.67    |

```python
d_k = 64
print(1 / d_k ** 0.5)  # 0.152
```
"""
HOSTILE = """# <img src=x onerror="window.hacked=1">

<script>window.hacked=1</script> <svg/onload=hacked=1> [click](javascript:hacked=1) &lt;b&gt; {{hacked}}

</script><script>window.hacked=1</script> <style>*{display:none}</style>

2 * 3 = 7 <iframe src="https://example.org"></iframe>
"""


@pytest.fixture
def opened(browser, tmp_path: Path) -> Iterator[Callable[[str], Any]]:
    """Write a page alive and open it. What it asks for elsewhere, and what goes wrong in it, fails the test."""
    problems: list[str] = []
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")

    def route(asked: Any) -> None:
        if asked.request.url.startswith("file://"):
            asked.continue_()
        else:
            problems.append(f"asked for {asked.request.url}")
            asked.abort()

    def go(text: str) -> Any:
        (tmp_path / "page.md").write_text(text, encoding="utf-8")
        assert run(["read", str(tmp_path / "page.md"), "--out", str(tmp_path / "page.html")]) == 0
        page = context.new_page()
        page.route("**/*", route)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
        page.goto((tmp_path / "page.html").as_uri())
        page.wait_for_selector(".reading")
        return page

    yield go
    context.close()
    assert problems == []


def mark(page: Any, text: str) -> Any:
    return page.locator("button.mark", has_text=text)


def test_hovering_says_the_verdict_and_clicking_opens_the_arithmetic(opened) -> None:
    page = opened(PAGE)
    mark(page, "0.445").hover()
    assert page.locator("[role=tooltip]").inner_text() == "wrong: claimed 0.445, computed 0.435"
    mark(page, "0.381").hover()
    assert page.locator("[role=tooltip]").inner_text() == "exact: claimed 0.381, computed 0.381"
    mark(page, "0.445").click()
    aside = page.locator("aside").inner_text()
    assert "0.5 * 0.66 + 0.2 * 0.525 = 0.435" in aside and "0.5 * 0.66 = 0.33" in aside
    mark(page, "0.445").click()
    assert page.locator("aside").count() == 0


def test_a_line_of_code_opens(opened) -> None:
    page = opened(PAGE)
    mark(page, "0.152").hover()
    assert page.locator("[role=tooltip]").inner_text() == "wrong: claimed 0.152, computed 0.125"
    mark(page, "0.152").click()
    assert "64**0.5 = 8" in page.locator("aside").inner_text()  # with the numbers that its names stand for


def test_a_table_that_is_a_toy_opens_in_the_explorer(opened) -> None:
    page = opened(PAGE)
    mark(page, "0.34").hover()
    assert "computed 0.244728" in page.locator("[role=tooltip]").inner_text()
    mark(page, "0.34").click()
    page.get_by_role("button", name="open weights[sat,cat] in the explorer").click()
    page.get_by_label("explorer").get_by_text("0.2447").first.wait_for()
    page.get_by_role("button", name="close the explorer").click()
    assert page.get_by_label("explorer").count() == 0


def test_the_text_stands_as_written(opened) -> None:
    page = opened(PAGE)
    page.get_by_role("button", name="as written").click()
    lines = page.locator(".line").all_inner_texts()
    assert [line.strip("\n") for line in lines][:9] == PAGE.split("\n")[:9]


def test_a_hostile_page_stays_text(opened) -> None:
    page = opened(HOSTILE)
    mark(page, "7").click()
    assert page.evaluate("window.hacked") is None
    assert (
        page.locator(".reading img, .reading script, .reading svg, .reading iframe, .reading style, .reading a").count()
        == 0
    )
    assert "<iframe" in page.locator(".page").inner_text()
