"""One HTML file that holds a run and the page to read it with: it opens anywhere and asks for nothing.

A small run is there with all its numbers and stays live; a deep one is there to be read, rounded (session/rounded.py).

Text reaches the page as data, never as HTML: what the file holds stands in a block of JSON in which no tag can begin,
and a policy inside the file lets only its own script run, known by its hash.
"""

import base64
import hashlib
import html
import json
import re
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from regard.session.hosting import TOYS, hosted
from regard.session.recording import held_for
from regard.session.state import State
from regard.session.traces import Traces

BUNDLE = Path(__file__).parents[1] / "web"
MISSING = (
    "the page has not been built, so there is nothing to put into a file; with Node 20.19 or newer, "
    "install regard again from its sources: pip install --force-reinstall --no-deps ."
)


class NotBuilt(ValueError):
    """There is no page to put into a file."""


START = """
{render}({{
  model: {{
    get: (name) => held[name], set: (name, value) => void (held[name] = value),
    on: () => {{}}, off: () => {{}}, save_changes: () => {{}},
  }},
  el: document.getElementById("regard"),
}});
"""


def offline_file(wanted: Callable[[], None], traces: Traces, asked: State) -> bytes:
    """The run of a state as one file; `wanted` is asked between its parts."""
    return offline_page(held_for(wanted, traces, asked), asked.text).encode()


def file_with_model(traces: Traces, asked: State) -> bytes:
    """The page with the model of a state inside, and the toys and lessons: it reads any text, as a hosted page does."""
    others = (name for name in TOYS if name != asked.model)
    blocks = dict(hosted(traces.shelf, (asked.model, *others)))
    traces.of(asked)  # what cannot be done is said now, not in the file
    blocks["engine.js"] = bundle_text("engine.js").encode()
    return offline_page({"inside": True, "state": asked.data}, asked.text, blocks=blocks).encode()


def offline_page(
    held: dict[str, Any], title: str, bundle: Path = BUNDLE, blocks: Mapping[str, bytes] = MappingProxyType({})
) -> str:
    """The whole file, around what it holds. `blocks` are files that the page finds in it by their paths.

    A file has no address that a worker could be loaded from; with blocks, it may make one from its own text.
    """
    script, style = bundle_text("regard.js", bundle), bundle_text("regard.css", bundle)
    program = _program(script)
    digest = base64.b64encode(hashlib.sha256(program.encode()).digest()).decode()
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-{digest}'; "
        f"{'worker-src blob:; ' if blocks else ''}"
        "style-src 'unsafe-inline'; img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'\">\n"
        '<meta name="referrer" content="no-referrer">\n<link rel="icon" href="data:,">\n'
        f"<title>{html.escape(title[:120])} · regard</title>\n"
        f"<style>{_inside(style, 'style')}</style>\n</head>\n<body>\n"
        f'<div id="regard"></div>\n<script type="application/json" id="held">{_data(held)}</script>\n'
        + "".join(_block(path, content) for path, content in blocks.items())
        + f'<script type="module">{program}</script>\n</body>\n</html>\n'
    )


def bundle_text(name: str, bundle: Path = BUNDLE) -> str:
    """A file of the page, as the build made it."""
    try:
        return (bundle / name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise NotBuilt(MISSING) from None


def _program(script: str) -> str:
    """The page's module with its exports replaced by a call: a module inside a file cannot be imported from there."""
    exports = re.search(r"export\s*\{([^{}]*)\}\s*;?\s*(?://[^\n]*)?\s*\Z", script)
    name = re.search(r"([\w$]+)\s+as\s+render\b|\b(render)\b", exports[1]) if exports else None
    if exports is None or name is None:
        raise ValueError("the page's bundle does not export render; build it again")
    held = 'const held = JSON.parse(document.getElementById("held").textContent);\n'
    return _inside(script[: exports.start()] + held + START.format(render=name[1] or name[2]), "script")


def _data(data: Any) -> str:
    """JSON in which no tag and no comment can begin or end."""
    written = json.dumps(data, allow_nan=False, separators=(",", ":"))
    return written.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _block(path: str, content: bytes) -> str:
    """A file inside the file, which nothing runs: deflated, in base64."""
    packed = base64.b64encode(zlib.compress(content, 9)).decode()
    return f'<script type="text/plain" id="{html.escape(path)}">{packed}</script>\n'


def _inside(text: str, tag: str) -> str:
    """Our own program or style, in which the element that holds it does not end early."""
    return re.sub(rf"</({tag})", r"<\\/\1", text, flags=re.IGNORECASE).replace("<!--", "<\\!--")
