"""Films three things that are best seen moving, from real runs in a real browser: the flip of a prediction, a number
that opens down to the words, and the flow through six layers. Each is a GIF in docs/films, of at most 1 MB.

A film is made picture by picture: something is done, the page comes to rest, it is photographed. So it is the same on a
slow machine as on a fast one, and needs nothing but Chromium and Pillow.

python scripts/films.py [flip] [opened] [flow]      # all of them, if none is named
"""

import io
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from regard.server.doorbell import ring

HERE = Path(__file__).parents[1] / "docs" / "films"
MOST = 1_000_000  # bytes of a film
SIZE = {"width": 960, "height": 640}
DRAWN = (800, 533)  # points of a picture
STILL = "() => !document.querySelector('main [aria-busy=true]:not(canvas)')"
QUICK, SLOW, LAST = 60, 900, 2200  # ms that a picture stays
FOX = {"model": "fox", "text": "The quick brown fox", "next": "jumps"}
ENGLISH = {"model": "english", "text": "Once upon a time there was a little"}

Acts = Iterator[int]  # after each thing that is done, how long it is looked at


def flip(page: Any) -> Acts:
    """fox's own ribbon is dragged thin, and the next word flips."""
    grip = page.locator("[role=slider]").last.bounding_box()
    x, y = grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2
    page.mouse.move(x, y)
    yield SLOW
    page.mouse.down()
    for step in range(1, 31):
        page.mouse.move(x, y + 3.6 * step)
        yield QUICK
    page.mouse.up()
    yield LAST


def opened(page: Any) -> Acts:
    """0.75 opens, line after line down to the words."""
    yield SLOW
    number = page.locator('figure [data-cell="layer0.weights[0,3,3]"]').first
    number.hover()
    yield SLOW
    number.click()
    page.locator(".drawer .line").nth(4).wait_for()
    yield 2 * SLOW
    for line in range(1, 5):
        page.locator(".drawer .line").nth(line).locator("button.number").first.hover()
        yield SLOW
    yield LAST


def flow(page: Any) -> Acts:
    """Less and more of the flow is kept; then a ribbon is asked about."""
    yield SLOW
    keep = page.get_by_role("slider", name="share of the flow")
    for share in (*range(86, 20, -6), *range(20, 97, 6)):
        keep.fill(str(share))
        yield 2 * QUICK
    yield SLOW
    ribbon = page.locator('g.pair[data-cell="layer5.flow.pairs[7,4]"]')
    ribbon.focus()
    ribbon.press("Enter")
    page.wait_for_function(STILL)
    yield LAST


# what is opened, what must be there, and what is done then
FILMS: dict[str, tuple[dict[str, str], str, Callable[[Any], Acts]]] = {
    "flip": ({"page": "opening"}, "[role=slider]", flip),
    "opened": ({**FOX, "stage": "5"}, 'figure [data-cell="layer0.weights[0,3,3]"]', opened),
    "flow": ({**ENGLISH, "page": "flow"}, "g.pair", flow),
}


def film(browser: Any, port: int, name: str) -> Path:
    from PIL import Image

    state, there, act = FILMS[name]
    page = browser.new_page(viewport=SIZE, color_scheme="light", reduced_motion="reduce")
    page.goto(f"http://127.0.0.1:{port}/#{urlencode({'login': ring(port)[1], **state})}")
    page.wait_for_selector(there)
    page.wait_for_function(STILL)
    pictures, times = [], []
    for time in act(page):
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        shot = Image.open(io.BytesIO(page.screenshot(animations="disabled", caret="hide"))).convert("RGB")
        pictures.append(shot.resize(DRAWN, Image.Resampling.LANCZOS))
        times.append(time)
    page.close()
    written = HERE / f"{name}.gif"
    written.parent.mkdir(exist_ok=True)
    palette = pictures[-1].quantize(128)  # one for all, or what stands still would flicker
    drawn = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    drawn[0].save(written, save_all=True, append_images=drawn[1:], duration=times, loop=0, optimize=True)
    return written


def main(names: list[str]) -> None:
    from playwright.sync_api import sync_playwright

    if odd := [name for name in names if name not in FILMS]:
        raise SystemExit(f"there is no film {odd[0]!r}; there are {', '.join(FILMS)}")
    chromium = next((found for name in ("chromium", "chromium-browser") if (found := shutil.which(name))), None)
    if chromium is None:
        raise SystemExit("there is no Chromium; install it with: apt-get install chromium")
    command = [sys.executable, "-m", "regard", "open", "--no-browser", "--port", "0"]
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process,
        sync_playwright() as playwright,
    ):
        assert process.stdout is not None
        found = re.search(r"http://127.0.0.1:(\d+)/", process.stdout.readline())
        if found is None:
            raise SystemExit("regard open did not start")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name in names or FILMS:
            written = film(browser, int(found[1]), name)
            size = written.stat().st_size
            print(f"docs/films/{written.name}  {size / 1000:.0f} kB")
            if size > MOST:
                raise SystemExit(f"{written.name} has {size:,} bytes, more than {MOST:,}; film less")
        browser.close()
        process.send_signal(signal.SIGINT)


if __name__ == "__main__":
    main(sys.argv[1:])
