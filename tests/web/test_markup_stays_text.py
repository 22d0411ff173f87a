"""Text reaches the page as text: markup in words, next words, model names and links adds no node and runs nothing."""

import json
from collections import Counter
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

EVIL = [
    "<img src=x onerror=hacked=1>",
    "</script><script>hacked=1</script>",
    "<svg/onload=hacked=1>",
    "{@html '<b id=hacked>'}",
    "&lt;b id=hacked&gt; &#60;i&#62;",
    "javascript:hacked=1 <a href='javascript:hacked=1'>click</a>",
    "<iframe srcdoc='<script>parent.hacked=1</script>'>",
    '"><style>*{display:none}</style>',
]
WHOLE = "() => !document.querySelector('[aria-busy=true]:not(canvas)')"  # all of the page is there
TAGS = "() => [...document.querySelectorAll('*')].map((node) => node.localName)"
SUSPECT = """() => [
  typeof hacked !== "undefined" || document.getElementById("hacked") !== null,
  document.querySelectorAll("#regard :is(img, script, iframe, object, embed, link, style, a[href^=javascript])").length,
  [...document.querySelectorAll("*")].flatMap((node) => node.getAttributeNames()).filter((name) => /^on/.test(name)).length,
]"""


def test_the_policy_is_there_and_nothing_breaks_it(opened):
    page = opened()
    answer = page.request.get(page.url.partition("#")[0])
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy
    assert "unsafe" not in policy
    expect(page.locator("[data-cell=loss]").first).to_be_visible()
    assert not opened.problems  # a browser says in its console what a policy stopped
    page.evaluate("() => { const script = document.createElement('script'); script.textContent = 'hacked = 1';"
                  " document.body.append(script); script.remove(); }")  # fmt: skip
    assert page.evaluate("typeof hacked") == "undefined"
    assert any("Content Security Policy" in problem for problem in opened.problems)
    opened.problems.clear()


@pytest.mark.parametrize("model", ["fox", "untrained", "english"])
def test_markup_in_a_sentence_and_its_next_word_adds_no_node(model, opened):
    shown = {"model": model, "stage": 6, "backward": 1, "cell": "layer0.weights[0,1,0]"}
    page = opened(urlencode(shown))
    page.wait_for_function(WHOLE)
    known = Counter(page.evaluate(TAGS))
    for text in EVIL:
        if model == "untrained" and text != EVIL[0]:
            continue  # it knows few words, and refuses the others in a sentence that names them
        page = opened(urlencode({**shown, "text": text, **({} if model == "english" else {"next": "<b>bold</b>"})}))
        page.wait_for_function(WHOLE)
        assert page.get_by_label("sentence", exact=True).input_value() == text
        assert page.evaluate(SUSPECT) == [False, 0, 0], text
        assert set(page.evaluate(TAGS)) <= set(known) | {
            "aside",
            "s",
            "small",
            "ul",
            "li",
            "details",
            "summary",
            "q",
            "ol",
            "rect",  # of a product that is drawn
        }
        assert page.locator("th :is(b, i, a, img), .token :not(span)").count() <= 1  # the name of the row that asks
        page.context.close()
        opened.pages.remove(page)
    opened.problems[:] = [said for said in opened.problems if "422" not in said]  # refused words, as they should be


def test_markup_in_names_of_models_and_in_links_stays_text(opened, run_with_an_evil_name):
    page = opened(urlencode({"model": EVIL[0], "text": EVIL[1], "mask": EVIL[2], "cell": EVIL[3]}))
    expect(page.get_by_role("alert")).to_contain_text("<img src=x")
    expect(
        page.get_by_role("combobox", name="model").locator("option", has_text=f"runs/{run_with_an_evil_name}")
    ).to_have_count(1)
    assert page.evaluate(SUSPECT) == [False, 0, 0]
    changes = [
        {"kind": "edit", "cell": f"weights[{EVIL[0]},1]", "value": 1},
        {"kind": "pin", "step": EVIL[2], "value": [1]},
    ]
    page = opened(urlencode({"model": "fox", "text": "The quick brown fox", "next": "jumps", "cell": EVIL[0],
                             "changes": json.dumps(changes)}))  # fmt: skip
    expect(page.locator(".drawer")).to_contain_text("<img src=x")
    assert page.evaluate(SUSPECT) == [False, 0, 0]
    opened.problems[:] = [said for said in opened.problems if "404" not in said]  # there is no such model
