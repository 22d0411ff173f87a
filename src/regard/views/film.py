"""A film of training on screen: which heads formed, when, and how; or one head at one update."""

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.text import Text

from regard.attending.film import ALL, MEASURED, Film
from regard.lens.forming import NAMED, formed, names_at
from regard.lens.naming import DETECTORS
from regard.views.columns import Column, table
from regard.views.ink import QUIET, STAGE, WEIGHT, Ink
from regard.views.layout import wrapped

SHADES = " ░▒▓█"
STEPS = "▁▂▃▄▅▆▇█"
PLAIN_SHADES, PLAIN_STEPS = " .:*#", "_.-:=+*#"
CURVE = 40  # characters of a curve at most
MOST_SENT = 4 * 2**20  # bytes of small maps that a page is sent


def film_lines(film: Film, ink: Ink) -> list[Text]:
    """The heads that have a name at the end: since when, and how the share of their habit grew."""
    found = formed(film)
    title = wrapped(Text.assemble(("FILM", STAGE), f"   {_about(film)}"), 0, ink)
    if not found:
        said = "No head has a name at its end; train longer, or look at one with --head 1.0."
        return [*title, *wrapped(said, 2, ink)]
    columns = [
        Column("head", [f"layer {one.layer} head {one.head}" for one in found], left=True),
        Column("name", [one.detector.name for one in found], left=True),
        Column("since update", [f"{one.since:,}" for one in found]),
        Column("share", [f"{one.curve[-1]:.3f}" for one in found], style=WEIGHT),
        Column("evenly", [f"{film.evenly[MEASURED.index(one.habit)]:.3f}" for one in found], style=QUIET),
        Column("how it grew", [_curve(one.curve, ink) for one in found], style=WEIGHT, left=True, drop=1),
    ]
    said = (
        f"Probe: {len(film.words) // 2} random words, read twice. A share is what a head gives to its habit, on "
        "average over the words that can follow it; evenly is what a head would give that reads all alike."
    )
    return [*title, *table(columns, ink, 2), *wrapped(said, 2, ink, QUIET)]


def frame_lines(film: Film, frame: int, ink: Ink) -> list[Text]:
    """All heads at one update: what each is called there, and its shares."""
    names = names_at(film, frame)
    columns = [
        Column("head", [f"layer {layer} head {head}" for layer, head in film.heads], left=True),
        Column("name", [DETECTORS[names[place]].name if place in names else "" for place in film.heads], left=True),
        *(
            Column(name.replace("_", " "), [f"{film.shares[frame, layer, head, i]:.3f}" for layer, head in film.heads])
            for i, name in enumerate(MEASURED)
        ),
    ]
    return [_title(film, frame), *table(columns, ink, 2)]


def head_lines(film: Film, frame: int, layer: int, head: int, ink: Ink) -> list[Text]:
    """One head at one update: a map of who reads whom, each row a word of the probe."""
    small = film.maps[frame, layer, head]
    step = -(-len(film.words) // len(small))
    words = [film.words[i * step] for i in range(len(small))]
    shades = PLAIN_SHADES if ink.plain else SHADES
    rows = ["".join(2 * shades[_shade(share, len(shades))] for share in row) for row in small.tolist()]
    name = names_at(film, frame).get((layer, head))
    title = _title(film, frame)
    title.append(f"   layer {layer} head {head}" + (f": {DETECTORS[name].name}" if name else ""))
    columns = [Column("word", words, left=True), Column("reads", rows, style=WEIGHT, left=True)]
    return [title, *table(columns, ink, 2)]


def film_data(film: Film) -> dict[str, Any]:
    """The film without its maps, for other programs."""
    return {
        "about": film.about,
        "words": list(film.words),
        "updates": film.updates.tolist(),
        "losses": [None if np.isnan(loss) else float(loss) for loss in film.losses],
        "measured": list(MEASURED),
        "named": list(NAMED),
        "evenly": [round(float(share), 6) for share in film.evenly],
        "shares": np.round(film.shares.astype(float), 4).tolist(),
        "formed": [
            {"layer": one.layer, "head": one.head, "habit": one.habit, "name": one.detector.name, "since": one.since}
            for one in formed(film)
        ],
    }


def page_data(film: Film) -> dict[str, Any]:
    """The film with its maps, and what heads are called at every look; of a long one, every other look, until it is
    short enough."""
    while len(film) > 2 and film.maps.nbytes > MOST_SENT:
        film = film.chosen(np.arange(len(film)) % 2 == 0, 2 * film.every)
    names = ({place: DETECTORS[habit].name for place, habit in names_at(film, i).items()} for i in range(len(film)))
    return {
        **film_data(film),
        "side": film.maps.shape[-1],
        "maps": base64.b64encode(film.maps.tobytes()).decode(),
        "names": [[[layer, head, name] for (layer, head), name in named.items()] for named in names],
    }


def _title(film: Film, frame: int) -> Text:
    loss = film.losses[frame]
    said = "" if np.isnan(loss) else f", loss {loss:.3f}"
    return Text.assemble(("FRAME", STAGE), f"   update {film.updates[frame]:,}{said}")


def _about(film: Film) -> str:
    first, last = film.updates[[0, -1]]
    whose = f"{film.about}: " if film.about else ""
    return f"{whose}{len(film)} looks at {len(film.heads)} heads, from update {first:,} to {last:,}"


def _curve(shares: Sequence[float] | np.ndarray, ink: Ink) -> str:
    steps = PLAIN_STEPS if ink.plain else STEPS
    places = np.linspace(0, len(shares) - 1, min(CURVE, len(shares))).round().astype(int)
    return "".join(steps[_shade(ALL * float(shares[place]), len(steps))] for place in places)


def _shade(share: float, shades: int) -> int:
    """Small shares are told apart as well: the eye sees a fifth beside nothing better than four fifths beside all."""
    return min(shades - 1, int((share / ALL) ** 0.5 * shades))
