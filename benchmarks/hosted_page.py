"""The page without a server: how long the engine takes in its worker, what the page's own thread does meanwhile, and
how large the folder of `regard site` is. `python benchmarks/page.py` prints these rows with the others.

Beside each time is that for which the worker had a processor, which other work on the machine does not stretch.
"""

import gzip
import json
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from regard.cli.main import run

TEXT = "Once upon a time there was a little girl who lived in a small house near"  # 16 tokens
STATE = {"model": "english", "text": TEXT, "next": "the", "changes": []}
LEARNED = {**STATE, "changes": [{"kind": "update", "rate": 0.0001}]}
MOVED = [
    {**STATE, "changes": [{"kind": "move", "cell": "layer3.weights[2,near,Once]", "value": 0.1 + n / 50}]}
    for n in range(5)
]
START = """async () => {
  const worker = new Worker("engine.js");
  const template = await (await fetch("models/english.json")).json();
  const numbers = await (await fetch("models/english.safetensors")).arrayBuffer();
  worker.postMessage({ model: "english", template, numbers }, [numbers]);
  window.ask = (body) => new Promise((done, failed) => {
    const begin = performance.now();
    worker.onmessage = ({ data }) => {
      if (data.progress) return; // it is on its way
      if (data.error) failed(new Error(data.error));
      else done(performance.now() - begin);
    };
    worker.postMessage({ id: 1, path: "explain", body });
  });
}"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None: ...


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


def worker_time(events: list[dict[str, Any]]) -> float:
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    tasks = (e for e in events if e.get("ph") == "X" and e["name"] == "ThreadControllerImpl::RunTask")
    return sum(e.get("tdur", e["dur"]) for e in tasks if "Worker" in names.get((e["pid"], e["tid"]), "")) / 1000


def rows(browser: Any, traced: Callable[..., Any], row: Callable[..., None]) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "site"
        if run(["site", str(folder)]):
            raise SystemExit("regard site did not write its folder")
        with hosted(folder) as address:
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.goto(address)
            page.evaluate(START)

            def asked(state: dict[str, Any]) -> tuple[float, float]:
                """How long an answer took, and for how long of that the worker had a processor."""
                browser.start_tracing(page=page, categories=["toplevel"])
                took = page.evaluate("(state) => window.ask(state)", state)
                return took, worker_time(json.loads(browser.stop_tracing())["traceEvents"])

            for name in ("girl", "dog"):  # the first text makes everything ready
                asked({**STATE, "text": TEXT.replace("girl", name)})
            forward = min(asked({**STATE, "text": TEXT.replace("girl", name)}) for name in ("boy", "man", "cat"))
            asked(STATE)
            for what, (took, busy), goal in (
                ("forward of 16 words", forward, "goal ≤ 500"),
                ("a dragged weight", min(map(asked, MOVED)), "goal ≤ 500"),
                ("one update", asked(LEARNED), "goal ≤ 2,000"),
            ):
                row(f"english in the browser: {what}", took, "ms", goal)
                row("  processor time of the worker", busy, "ms")
            page.close()
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            with traced(browser, page) as tasks:
                said = {name: value for name, value in STATE.items() if name != "changes"}
                page.goto(f"{address}#{urlencode(said)}")
                page.wait_for_selector("[data-cell='after.loss']", state="attached", timeout=300_000)
            row("english on the site: longest task", max(wall for wall, _ in tasks), "ms", "goal ≤ 100")
            row("  longest by processor time", max(cpu for _, cpu in tasks), "ms")
            page.close()
        files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    row("site: english.safetensors", len(files.pop("models/english.safetensors")) / 1e6, "MB")
    row("site: masked.safetensors", len(files.pop("models/masked.safetensors")) / 1e6, "MB")
    small = {name: len(gzip.compress(content)) / 1000 for name, content in files.items()}
    lessons = sum(size for name, size in small.items() if name.startswith("lessons/"))
    row("site: everything else, compressed", sum(small.values()) - lessons, "kB", "goal ≤ 1,000")
    row("  and the lessons, each loaded when it is opened", lessons, "kB")


if __name__ == "__main__":
    from playwright.sync_api import sync_playwright

    from page import FLAGS, row, traced  # benchmarks/page.py

    with sync_playwright() as playwright:
        executable = shutil.which("chromium") or shutil.which("google-chrome")
        rows(playwright.chromium.launch(executable_path=executable, args=list(FLAGS)), traced, row)
