"""Which Debian packages the tests would like on this machine and do not find, one per line: `make test` installs them.

Without them nothing fails: the tests that need one are skipped (tests/SKIPPED.md).
"""

import ctypes
import shutil
import sys
import sysconfig
from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


def has_library(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def missing() -> list[str]:
    headers = Path(sysconfig.get_path("include")) / "Python.h"
    found = {
        "chromium": any(map(shutil.which, BROWSERS)),  # the tests of the page
        # Playwright, which drives the browser, brings a Node that needs this
        "libatomic1": sys.platform != "linux" or has_library("libatomic.so.1"),
        "g++": shutil.which("g++") is not None,  # torch.compile writes C++
        f"python{sysconfig.get_python_version()}-dev": headers.is_file(),  # and includes Python.h
    }
    return [package for package, is_there in found.items() if not is_there]


if __name__ == "__main__":
    for package in missing():
        print(package)
