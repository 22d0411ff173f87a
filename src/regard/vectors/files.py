"""Opening a file of word vectors, of whatever kind: it is recognised by what it holds, not by its name."""

import os
from pathlib import Path

from regard import strangers
from regard.vectors import mapped
from regard.vectors.problem import Unreadable
from regard.vectors.wordvectors import WordVectors

LOOKED_AT = 64  # bytes in which a kind is recognised


def open_vectors(path: str | os.PathLike[str]) -> WordVectors:
    """The word vectors of a file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     WordVectors(["king", "queen"], [[1, 0], [3, 4]]).save(f"{folder}/two.vectors")
    ...     open_vectors(f"{folder}/two.vectors")["queen"].tolist()
    [3.0, 4.0]
    """
    real = Path(os.path.realpath(path))
    try:
        with strangers.opened(real.parent, real.name) as (file, size):
            beginning = file.peek(LOOKED_AT)[:LOOKED_AT]
            if mapped.is_mapped(beginning):
                return mapped.read(file, size, title=real.name)
            raise Unreadable(f"this is no kind of file that holds word vectors: it begins with {beginning[:16]!r}")
    except (Unreadable, strangers.Refused) as error:
        raise Unreadable(f"{path} cannot be read: {error}") from error
