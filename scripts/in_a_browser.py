"""The page in a real browser, served by this machine: for pictures and for films."""

import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

from regard.server.doorbell import ring

STILL = "() => !document.querySelector('main [aria-busy=true]:not(canvas)')"
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu"]

Opened = Callable[..., Any]


@contextmanager
def page_opener() -> Iterator[Opened]:
    """A function that opens the page at a state, once what must be there is: opened({"page": "flow"}, "g.pair")."""
    from playwright.sync_api import sync_playwright

    chromium = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
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
        port = int(found[1])
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)

        def opened(state: dict[str, str], there: str, **settings: Any) -> Any:
            page = browser.new_page(reduced_motion="reduce", **settings)
            page.goto(f"http://127.0.0.1:{port}/#{urlencode({'login': ring(port)[1], **state})}")
            page.wait_for_selector(there, state="attached")  # a level ribbon has no height: Playwright calls it hidden
            page.wait_for_function(STILL)
            return page

        yield opened
        browser.close()
        process.send_signal(signal.SIGINT)
