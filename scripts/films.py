"""Films three things that are best seen moving, from real runs in a real browser: the flip of a prediction, a number
that opens down to the words, and the flow through six layers. Each is a GIF and a WebM in docs/films, of at most 1 MB.

A film is made picture by picture: something is done, the page comes to rest, it is photographed. So it is the same on a
slow machine as on a fast one, and needs nothing but Chromium, Pillow and ffmpeg.

make films; or python scripts/films.py [flip] [opened] [flow]      # all of them, if none is named
"""

import io
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL import Image

HERE = Path(__file__).parents[1] / "docs" / "films"
MOST = 1_000_000  # bytes of a film
SIZE = {"width": 960, "height": 640}
DRAWN = (800, 533)  # points of a picture
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
    from in_a_browser import STILL

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


def pictures(opened: Any, name: str) -> tuple[list["Image.Image"], list[int]]:
    from PIL import Image

    state, there, act = FILMS[name]
    page = opened(state, there, viewport=SIZE, color_scheme="light")
    taken, times = [], []
    for time in act(page):
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        shot = Image.open(io.BytesIO(page.screenshot(animations="disabled", caret="hide"))).convert("RGB")
        taken.append(shot.resize(DRAWN, Image.Resampling.LANCZOS))
        times.append(time)
    page.close()
    return taken, times


def write_gif(path: Path, taken: list["Image.Image"], times: list[int]) -> None:
    from PIL import Image

    palette = taken[-1].quantize(128)  # one for all, or what stands still would flicker
    drawn = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in taken]
    drawn[0].save(path, save_all=True, append_images=drawn[1:], duration=times, loop=0, optimize=True)


def write_webm(path: Path, taken: list["Image.Image"], times: list[int]) -> None:
    """The same pictures as a video; ffmpeg is told how long each stays."""
    with tempfile.TemporaryDirectory() as folder:
        lines = []
        for number, (picture, time) in enumerate(zip(taken, times)):
            picture.save(Path(folder) / f"{number}.png")
            lines += [f"file {number}.png", f"duration {time / 1000}"]
        lines.append(f"file {len(taken) - 1}.png")  # the last one is shown only if it is named again
        (Path(folder) / "films.txt").write_text("\n".join(lines), encoding="utf-8")
        order = ["-f", "concat", "-i", f"{folder}/films.txt", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2,fps=25"]
        order += ["-c:v", "libvpx-vp9", "-crf", "36", "-b:v", "0", "-pix_fmt", "yuv420p", str(path)]
        subprocess.run(["ffmpeg", "-y", "-loglevel", "error", *order], check=True)


def main(names: list[str]) -> None:
    from in_a_browser import page_opener

    if odd := [name for name in names if name not in FILMS]:
        raise SystemExit(f"there is no film {odd[0]!r}; there are {', '.join(FILMS)}")
    if shutil.which("ffmpeg") is None:
        raise SystemExit("there is no ffmpeg; install it with: apt-get install ffmpeg")
    HERE.mkdir(exist_ok=True)
    with page_opener() as opened:
        for name in names or FILMS:
            taken, times = pictures(opened, name)
            for ending, write in (("gif", write_gif), ("webm", write_webm)):
                path = HERE / f"{name}.{ending}"
                write(path, taken, times)
                size = path.stat().st_size
                print(f"docs/films/{path.name}  {size / 1000:.0f} kB")
                if size > MOST:
                    raise SystemExit(f"{path.name} has {size:,} bytes, more than {MOST:,}; film less")


if __name__ == "__main__":
    main(sys.argv[1:])
