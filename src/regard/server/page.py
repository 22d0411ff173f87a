"""The page's own files, read once when the server starts; a path is looked up in a list and never opened."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import Response

from regard.server.problem import Problem

FOLDER = Path(__file__).parents[1] / "web"
# listed here, since what machines know about file extensions differs
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".woff": "font/woff",
    ".ttf": "font/ttf",
}
MISSING = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>regard</title>
<h1>regard is running, but its page has not been built</h1>
<p>The page is built when regard is installed, and that needs Node 20.19 or newer, or a network for pip.</p>
<p>Install Node, then run <code>pip install --force-reinstall --no-deps .</code> in the folder that regard was installed
from, and start <code>regard open</code> again.</p>
<p>Everything else works: <code>regard explain "The quick brown fox" --next jumps</code> shows the same numbers in a
terminal, and this server answers programs under <code>/api/</code>.</p>
</html>
"""


@dataclass(frozen=True)
class File:
    content: bytes
    kind: str
    tag: str


def files(folder: Path = FOLDER) -> dict[str, File]:
    """Every file of the page by its path; where there is none, a page that says what to do.

    >>> files(Path("/nonexistent"))["/"].kind
    'text/html; charset=utf-8'
    """
    if not (folder / "index.html").is_file():
        return {"/": _file(MISSING.encode(), "index.html")}
    inside = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]
    found = {f"/{path.relative_to(folder).as_posix()}": _file(path.read_bytes(), path.name) for path in inside}
    return {**found, "/": found["/index.html"]}


def serve(app: FastAPI, found: dict[str, File]) -> None:
    """Answer everything that is not a route of the application with a file of the page, if there is one."""

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def file(request: Request) -> Response:
        wanted = found.get(request.url.path)
        if wanted is None:
            raise Problem(404, "there is nothing here")
        headers = {"etag": wanted.tag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == wanted.tag:
            return Response(status_code=304, headers=headers)
        return Response(wanted.content, headers={**headers, "content-type": wanted.kind})


def _file(content: bytes, name: str) -> File:
    kind = KINDS.get(Path(name).suffix, "application/octet-stream")
    return File(content, kind, f'"{hashlib.sha256(content).hexdigest()[:32]}"')
