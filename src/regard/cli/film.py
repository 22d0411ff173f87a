"""`regard film RUN`: how the heads of a model formed while it learned."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli.options import RUNS, Json, Plain

if TYPE_CHECKING:
    from rich.text import Text

    from regard.attending.film import Film


def command(
    run: Annotated[
        str | None,
        typer.Argument(help="A run that was trained with --film.  [default: a sister of english]", metavar="[RUN]"),
    ] = None,
    at: Annotated[int | None, typer.Option(help="Show this update, or the last look before it.", min=0)] = None,
    head: Annotated[str | None, typer.Option(help="Show one head: 4.2 is head 2 of layer 4.")] = None,
    scrub: Annotated[bool, typer.Option("--scrub", help="Go through the updates with the arrow keys.")] = False,
    plain: Plain = False,
    json: Json = False,
) -> None:
    """Show which heads formed while a model learned, and when; with --at or --head, one look."""
    from regard.cli.output import ink_for, write, write_json
    from regard.views.film import film_data, film_lines, frame_lines, head_lines

    film, ink = _film(run), ink_for(None, plain)
    chosen = None if head is None else _head(head, film)
    frame = len(film) - 1 if at is None else film.at(at)

    def lines(frame: int) -> "list[Text]":
        return frame_lines(film, frame, ink) if chosen is None else head_lines(film, frame, *chosen, ink)

    if json:
        write_json(film_data(film))
    elif scrub:
        _scrub(film, frame if at is not None else 0, lines, plain)
    elif at is None and chosen is None:
        write(film_lines(film, ink), plain)
    else:
        write(lines(frame), plain)


def _film(run: str | None) -> "Film":
    from regard.models.shipped import FILM, WEIGHTS
    from regard.training.film_file import load_film

    if run is None:
        return load_film(WEIGHTS, FILM)
    folder = next((place for place in (Path(run), Path(RUNS) / run) if place.is_dir()), None)
    if folder is None:
        raise ValueError(f"there is no run {run}; regard models lists those in ./{RUNS}")
    try:
        return load_film(folder)
    except FileNotFoundError:
        raise ValueError(
            f"{folder} was not filmed; train with --film, or resume it with --set film_every=50 and more updates"
        ) from None


def _head(written: str, film: "Film") -> tuple[int, int]:
    parts = written.split(".")
    place = tuple(int(part) for part in parts if part.isdecimal() and part.isascii())
    if len(parts) != 2 or len(place) != 2 or place not in film.heads:
        layers, heads = film.shares.shape[1:3]
        raise ValueError(
            f"--head expects a layer from 0 to {layers - 1} and a head from 0 to {heads - 1}, such as 1.0, "
            f"got {written!r:.40}"
        )
    return place[0], place[1]


def _scrub(film: "Film", frame: int, lines: "Callable[[int], list[Text]]", plain: bool) -> None:
    """← and → go from look to look; q, Escape or Ctrl-C ends."""
    import sys

    import click
    from rich.text import Text

    from regard.cli.output import write

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ValueError("--scrub needs a terminal; --at UPDATE shows one look")
    steps = {"\x1b[D": -1, "\x1b[C": 1, "h": -1, "l": 1, " ": 1}
    while True:
        click.clear()
        write([*lines(frame), Text(f"  look {frame + 1} of {len(film)}    ← → go through them, q ends")], plain)
        key = click.getchar()
        if key in ("q", "\x1b", "\x03"):
            return
        frame = min(len(film) - 1, max(0, frame + steps.get(key, 0)))
