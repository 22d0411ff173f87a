"""An address handed to the browser in a private file: arguments of a command can be read by everybody (`ps`)."""

import html
import os
import shutil
import tempfile
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path

REDIRECT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>regard</title><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}"></head>
<body><p><a href="{address}">Open regard</a></p></body></html>
"""


class Handover:
    """A file that only its owner can read, which leads the browser to an address; removed once it has served."""

    def __init__(self) -> None:
        self._folder: Path | None = None

    def to_browser(self, address: str, open_file: Callable[[str], bool] = webbrowser.open) -> None:
        # a browser in a sandbox reads neither /tmp nor hidden folders, but what lies plainly in one's home
        home = os.path.expanduser("~")
        self._folder = Path(tempfile.mkdtemp(prefix="regard-", dir=home if os.access(home, os.W_OK) else None))
        file = self._folder / "open.html"
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as written:
            written.write(REDIRECT.format(address=html.escape(address)))

        def hand_over() -> None:
            if not open_file(file.as_uri()):
                self.remove()

        threading.Thread(target=hand_over, daemon=True).start()

    def remove(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
