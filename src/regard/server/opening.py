"""From `regard open` to a running server: the address with its token, the browser, and a clean end."""

import contextlib
import logging
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

from regard.models.catalogue import MODELS, find_model, usual_model
from regard.server.application import application
from regard.server.serving import Server, loopback, new_token
from regard.session.shelf import public_name


def serve(
    model: str | None, text: str | None, port: int | None, runs: Path, browser: bool, say: Callable[[str], None]
) -> None:
    """Serve until Ctrl-C."""
    logging.basicConfig(level=logging.WARNING, format="regard: %(message)s")
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)  # the gate reports what is worth reporting
    if text is not None:
        model = model or usual_model(text, None)
    if model is not None:
        find_model(model)  # what is wrong with it is reported here, in the terminal
    opened = (model,) if model is not None and model not in MODELS else ()
    sockets = loopback(port)
    number, token = sockets[0].getsockname()[1], new_token()
    address = f"http://127.0.0.1:{number}/?token={token}{_fragment(model, text)}"

    def started() -> None:
        say(f"regard is open at {address}")
        say("It answers on this machine only, to whoever has this address. Ctrl-C ends it.")
        if browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    server = Server(application(token, number, runs, opened), started)
    with contextlib.suppress(KeyboardInterrupt):  # the intended way to end
        server.run(sockets)
    say("closed")


def _fragment(model: str | None, text: str | None) -> str:
    """The state to open with, where the page keeps it: behind the #, which browsers do not send."""
    state = {"model": public_name(model) if model else None, "text": text}
    given = {name: value for name, value in state.items() if value is not None}
    return f"#{urlencode(given)}" if given else ""
