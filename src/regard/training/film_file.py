"""A film as a file: arrays and words, read with suspicion. No torch."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.numpy

from regard import strangers
from regard.attending.film import ARRAYS, MEASURED, MOST_BYTES, MOST_FRAMES, SMALL, WORDS, Film
from regard.checkpoints.reading import Damage, few
from regard.replacing import replacing
from regard.training.folder import FILM

MOST = MOST_BYTES + 2**24  # bytes: small maps, and all the rest
MOST_HEADS = 4_096
MOST_UPDATES = 2**40
MOST_TEXT = 2**16  # characters
ROUNDING = 1e-3
TYPES = {"updates": np.int64, "losses": np.float32, "evenly": np.float32, "shares": np.float32, "maps": np.uint8}


def save_film(film: Film, path: Path) -> None:
    about = {"about": film.about, "words": json.dumps(film.words), "every": str(film.every)}
    arrays = {name: np.ascontiguousarray(getattr(film, name), TYPES[name]) for name in ARRAYS}
    with replacing(path) as file:
        file.write(safetensors.numpy.save(arrays, about))


def load_film(folder: Path, name: str = FILM) -> Film:
    """The film in a folder; FileNotFoundError where there is none, Damage where it is not what was written."""
    try:
        with strangers.opened(folder, name, MOST) as (file, size):
            data = file.read(size)
        arrays = safetensors.numpy.load(data)
        plain = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])["__metadata__"]
        film = Film(plain["about"], tuple(json.loads(plain["words"])), int(plain["every"]), **arrays)
        _check(film)
    except FileNotFoundError:
        raise
    except Exception as error:  # the library has many kinds
        raise Damage(f"{name} is not a film that can be read: {few([str(error)])}") from None
    return film


def _check(film: Film) -> None:
    """Whether it could have been filmed here: what is shown of it takes no longer than what is shown of ours."""
    if film.shares.ndim != 4 or film.maps.ndim != 5:
        raise ValueError(f"shares has {film.shares.ndim} axes and maps {film.maps.ndim}, expected 4 and 5")
    (frames, layers, heads), rows = film.shares.shape[:3], film.maps.shape[-1]
    expected: dict[str, tuple[int, ...]] = {
        "updates": (frames,),
        "losses": (frames,),
        "evenly": (len(MEASURED),),
        "shares": (frames, layers, heads, len(MEASURED)),
        "maps": (frames, layers, heads, rows, rows),
    }
    for name, shape in expected.items():
        array: Any = getattr(film, name)
        if array.shape != shape or array.dtype != TYPES[name]:
            raise ValueError(f"{name} has the shape {array.shape} of {array.dtype}, expected {shape}")
    for what, found, most in (
        ("frames", frames, MOST_FRAMES),
        ("heads", layers * heads, MOST_HEADS),
        ("rows", rows, SMALL),
    ):
        if not 0 < found <= most:
            raise ValueError(f"it has {found:,} {what}, expected 1 to {most:,}")
    words = all(isinstance(word, str) for word in film.words) and rows <= len(film.words) <= 2 * WORDS
    if not words or len(film.about) + sum(map(len, film.words)) > MOST_TEXT:
        raise ValueError("its words are not those of its maps")
    if not (0 < film.every <= MOST_UPDATES and film.updates[0] >= 0 and film.updates[-1] <= MOST_UPDATES):
        raise ValueError(f"its updates are not between 0 and {MOST_UPDATES:,}")
    if not (np.diff(film.updates) > 0).all():
        raise ValueError("its frames do not follow each other")
    if np.isinf(film.losses).any() or not (_are_shares(film.shares) and _are_shares(film.evenly)):
        raise ValueError("its numbers are no losses and shares")


def _are_shares(array: np.ndarray) -> bool:
    return bool((array >= 0).all() and (array <= 1 + ROUNDING).all())  # NaN is neither
