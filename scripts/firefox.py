"""Photographs an exported file and the hosted page in Firefox, to be looked at: another browser draws them too.

python scripts/firefox.py FOLDER        # the pictures go there; needs firefox-esr

A browser without a driver photographs a page when it has loaded. What is computed after that is waited for by a picture
in a frame around the page, which comes late.
"""

import html
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from regard.cli.main import run

FIREFOX = ("firefox-esr", "firefox")
PATIENCE = 20  # seconds until a page is photographed
GUARD = 120
SIZES = {"wide": (1280, 800), "phone": (375, 812)}
DOT = b'<svg xmlns="http://www.w3.org/2000/svg"/>'
FOX = {"model": "fox", "text": "The quick brown fox", "next": "jumps"}
ENGLISH = {"model": "english", "text": "Once upon a time there was a little"}
SITE = {
    "opening": {"page": "opening"},
    "explorer": {**FOX, "stage": "5", "cell": "layer0.weights[0,3,3]"},
    "english": ENGLISH,
    "flow": {**ENGLISH, "page": "flow"},
    "gravity": {"page": "gravity"},
    "lessons": {"page": "lessons"},
}


class Late(SimpleHTTPRequestHandler):
    """The folder; /around?of=PAGE, a frame around a page; /late, a picture that takes its time."""

    def do_GET(self) -> None:
        asked = urlsplit(self.path)
        if asked.path == "/late":
            time.sleep(PATIENCE)
            self.answer(DOT, "image/svg+xml")
        elif asked.path == "/around":
            page = html.escape(parse_qs(asked.query)["of"][0])
            style = "body{margin:0}iframe{border:0;width:100vw;height:100vh;display:block}img{position:absolute}"
            body = f'<!doctype html><style>{style}</style><iframe src="{page}"></iframe><img src="/late">'
            self.answer(body.encode(), "text/html")
        else:
            super().do_GET()

    def answer(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


def photograph(firefox: str, address: str, size: tuple[int, int], path: Path) -> None:
    with tempfile.TemporaryDirectory() as profile:
        command = [firefox, "--headless", "--no-remote", "--profile", profile, f"--window-size={size[0]},{size[1]}"]
        subprocess.run([*command, "--screenshot", str(path), address], check=True, timeout=GUARD, capture_output=True)


def main(folder: Path) -> None:
    firefox = next((found for name in FIREFOX if (found := shutil.which(name))), None)
    if firefox is None:
        raise SystemExit("there is no Firefox; install it with: apt-get install firefox-esr")
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        run(["site", f"{place}/site"])
        run(["export", FOX["text"], "--next", FOX["next"], "-o", f"{place}/fox.html"])
        run(["export", ENGLISH["text"], "--model", "english", "-o", f"{place}/english.html"])
        with ThreadingHTTPServer(("127.0.0.1", 0), partial(Late, directory=place)) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            pages = {f"site-{name}": f"/site/#{urlencode(state)}" for name, state in SITE.items()}
            pages |= {"file-fox": "/fox.html", "file-english": "/english.html"}
            for name, page in pages.items():
                for size, points in SIZES.items():
                    path = folder / f"{name}-{size}.png"
                    around = f"http://127.0.0.1:{server.server_address[1]}/around?of={quote(page, safe='')}"
                    photograph(firefox, around, points, path)
                    print(path)
            server.shutdown()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(Path(sys.argv[1]))
