"""A film as a file: arrays and words, read with suspicion. No torch."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.numpy

from regard import strangers
from regard.attending.film import ARRAYS, MEASURED, MOST_BYTES, SMALL, Film
from regard.checkpoints.reading import Damage, few
from regard.replacing import replacing
from regard.training.folder import FILM

MOST = MOST_BYTES + 2**24  # bytes: small maps, and all the rest
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
    frames, (layers, heads) = len(film.updates), film.shares.shape[1:3]
    rows = film.maps.shape[-1]
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
    words = all(isinstance(word, str) for word in film.words) and len(film.words) >= rows
    rising = bool((np.diff(film.updates) > 0).all())
    finite = bool(np.isfinite(film.shares).all() and np.isfinite(film.evenly).all())
    if not (words and rising and finite and frames and film.every > 0 and 0 < rows <= SMALL):
        raise ValueError("its frames do not follow each other, or its words are not those of its maps")
