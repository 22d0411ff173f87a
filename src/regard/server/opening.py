"""From `regard open` to a running server: an address that lets one tab in, the browser, and a clean end."""

import contextlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from regard.models.catalogue import MODELS, find_model, usual_model
from regard.server.application import application
from regard.server.doorbell import Doorbell, ring
from regard.server.entry import Entry
from regard.server.handing import Handover
from regard.server.memory import settle
from regard.server.serving import Server, loopback
from regard.server.watching import Watcher, reader_of_long, watcher
from regard.session import limits
from regard.session.shelf import public_name
from regard.vectors.finding import find_vectors, vectors_file


@dataclass(frozen=True)
class Long:
    """A text too long to be sent with every request: it is read before the server starts, and known by a name."""

    name: str
    text: str
    layers: Sequence[int] | None = None


def serve(
    model: str | None,
    given: str | Long | None,
    port: int | None,
    runs: Path,
    browser: bool,
    say: Callable[[str], None],
    site: str | None = None,
) -> None:
    """Serve until Ctrl-C."""
    text = given.name if isinstance(given, Long) else given
    logging.basicConfig(level=logging.WARNING, format="regard: %(message)s")
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)  # the gate reports what is worth reporting
    if text is not None:
        model = model or usual_model(text, None)
    # what is wrong with it is reported here, in the terminal
    is_vectors = model is not None and vectors_file(model) is not None
    if model is not None and is_vectors:
        check_vectors(model, text)
    own = None if model is None or is_vectors else _watched(model, say)
    if isinstance(given, Long):
        own = _read(own, model, given, say)
    opened = (model,) if model is not None and model not in MODELS else ()
    sockets = loopback(port)
    number, entry = sockets[0].getsockname()[1], Entry()
    handover = Handover()

    def started() -> None:
        say(f"regard is open at {_address(number, entry.login(), model, text)}")
        say(
            "It answers on this machine only. The address works once, in one tab; `regard open --again` prints another."
        )
        say("Ctrl-C ends it.")
        if browser:
            handover.to_browser(_address(number, entry.login(handover.remove), model, text))

    server = Server(
        application(entry, number, runs, opened, site, lambda place: own or watcher(place)),
        Doorbell(number, entry.login),
        started,
        handover.remove,
    )
    settle()
    with contextlib.suppress(KeyboardInterrupt):  # the intended way to end
        server.run(sockets)
    say("closed")


def _read(own: Watcher | None, model: str | None, given: Long, say: Callable[[str], None]) -> Watcher:
    own = own or (None if model is None else reader_of_long(model))
    if own is None:
        raise ValueError(
            f"the text has {len(given.text):,} characters, and the page takes {limits.TEXT:,}; a longer one can be "
            "watched: regard open FOLDER --file FILE, with a folder of transformers', or a GGUF file"
        )
    own.name(given.name, given.text, given.layers, say)
    return own


def _watched(model: str, say: Callable[[str], None]) -> Watcher | None:
    """For a folder that is not in glass, what watches its own code instead; a problem of that is an error."""
    try:
        find_model(model)
    except ValueError as problem:
        own = watcher(model)
        if own is None:
            raise
        say(f"{problem}")
        say("So it is watched while its own code runs: every head can be seen, nothing can be opened or changed.")
        _ = own.loaded
        return own
    return None


def address_again(model: str | None, text: str | None, port: int | None) -> str:
    """A fresh address of the server that is running already."""
    return _address(*ring(port), model, text)


def check_vectors(file: str, text: str | None) -> None:
    """Whether a file of word vectors can be opened."""
    if text is not None:
        raise ValueError(f"{file} holds word vectors, which read no text; leave the text out, or name a model")
    find_vectors(file)


def _address(port: int, login: str, model: str | None, text: str | None) -> str:
    """The login value and the state to open with, where the page keeps it: behind the #, which browsers do not send."""
    said = {"login": login, "model": public_name(model) if model else None, "text": text}
    if model is not None and vectors_file(model) is not None:
        said = {"login": login, "page": "vectors", "table": public_name(model)}
    return f"http://127.0.0.1:{port}/#{urlencode({name: value for name, value in said.items() if value is not None})}"
