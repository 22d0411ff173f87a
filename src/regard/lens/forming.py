"""When heads get their names in a film of training: the habit a head has in a frame, and since when it has kept it."""

from dataclasses import dataclass

import numpy as np

from regard.attending.film import MEASURED, Film
from regard.lens.naming import DETECTORS, Detector, strength_of

NAMED = tuple(name for name in MEASURED if name in DETECTORS)


@dataclass(frozen=True)
class Forming:
    """A head with a name at the end of a film."""

    layer: int
    head: int
    habit: str
    detector: Detector
    since: int  # the update from which on it was sure, up to the end
    curve: np.ndarray  # (frames,): the share it gave


def strengths(film: Film) -> np.ndarray:
    """(frames, layers, heads, named): how far each head is on the way to each name; 1 is enough."""
    columns = [
        strength_of(DETECTORS[name], film.shares[..., i], film.evenly[i])
        for i, name in enumerate(MEASURED)
        if name in DETECTORS
    ]
    return np.stack(columns, axis=-1)


def names_at(film: Film, frame: int) -> dict[tuple[int, int], str]:
    """The habit of each head that a detector is sure of in a frame, the strongest."""
    way = strengths(film.chosen(np.arange(len(film)) == frame, film.every))[0]
    best = way.argmax(axis=-1)
    return {place: NAMED[best[place]] for place in film.heads if way[place].max() >= 1}


def formed(film: Film) -> list[Forming]:
    """The heads that have a name at the end, in the order in which they got it."""
    way = strengths(film)
    found: list[Forming] = []
    for (layer, head), habit in names_at(film, len(film) - 1).items():
        sure = way[:, layer, head, NAMED.index(habit)] >= 1
        first = int(np.flatnonzero(~sure)[-1]) + 1 if not sure.all() else 0
        curve = film.shares[:, layer, head, MEASURED.index(habit)]
        found.append(Forming(layer, head, habit, DETECTORS[habit], int(film.updates[first]), curve))
    return sorted(found, key=lambda one: (one.since, one.layer, one.head))
