"""Photographs the page for the README and the docs, from real runs in a real browser, so that they stay true.

make pictures
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

HERE = Path(__file__).parents[1] / "docs" / "pictures"
MOST = 250_000  # bytes of a picture
SIZE = {"width": 1280, "height": 860}
FOX = {"model": "fox", "text": "The quick brown fox", "next": "jumps"}


def weights(page: Any) -> None:
    """Stage 5, the drawer open on 0.75 and on its way down to the words."""
    page.get_by_role("button", name="5Weights").first.click()
    page.locator('figure [data-cell="layer0.weights[0,3,3]"]').click()


def learned(page: Any) -> None:
    """Ten updates, and the gradients under every number."""
    page.get_by_role("button", name="×10", exact=True).click()
    page.get_by_role("button", name="5Weights").first.click()


def nothing(page: Any) -> None:
    """As it opens."""


ENGLISH = {"model": "english", "text": "Once upon a time there was a little"}
OTHER = {"model": "english", "text": "Once upon a time there was an old little"}
COMPARED = {**ENGLISH, "page": "compare", "beside": urlencode(OTHER)}
# what is opened, in which light, what must be there, and what is done then
PICTURES: dict[str, tuple[dict[str, str], str, str, Callable[[Any], None]]] = {
    "page-opening.png": ({"page": "opening"}, "light", ".picture", nothing),
    "page-fox.png": (FOX, "light", "[data-stage='10']", weights),
    "page-english.png": (ENGLISH, "light", ".map [data-cell]", nothing),
    "page-flow.png": ({**ENGLISH, "page": "flow"}, "light", "svg path", nothing),
    "page-gravity.png": ({"page": "gravity"}, "light", "article table", nothing),
    "page-compare.png": (COMPARED, "light", "figure", nothing),
    "page-vectors.png": ({"page": "vectors"}, "light", "canvas[aria-label*='8,192 words']", nothing),
    "page-make.png": ({"page": "train"}, "light", ".film [data-head]", nothing),
    "page-dark.png": ({**FOX, "backward": "1"}, "dark", "[data-stage='10']", learned),
}


def photograph(opened: Any, name: str) -> None:
    from in_a_browser import STILL

    state, scheme, there, act = PICTURES[name]
    page = opened(state, there, viewport=SIZE, color_scheme=scheme)
    act(page)
    page.wait_for_function(STILL)
    page.mouse.move(0, 0)
    page.screenshot(path=HERE / name, animations="disabled", caret="hide")
    page.close()


def main(names: list[str]) -> None:
    from in_a_browser import page_opener

    with page_opener() as opened:
        for name in names or PICTURES:
            photograph(opened, name)
            size = (HERE / name).stat().st_size
            print(f"docs/pictures/{name}  {size / 1000:.0f} kB")
            if size > MOST:
                raise SystemExit(f"{name} has {size:,} bytes, more than {MOST:,}; photograph less")


if __name__ == "__main__":
    main(sys.argv[1:])
