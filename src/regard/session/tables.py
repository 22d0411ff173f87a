"""Tables of word vectors that may be looked at here: files named at the start, runs that trained some, every model's.

Like models they are known by public names, and a name is never used as a path.
"""

import os
import threading
from collections import OrderedDict
from dataclasses import dataclass, field

from regard.models.names import MODELS
from regard.session import limits
from regard.session.shelf import DEEP, Shelf
from regard.suggestions import NotFound, suggestion
from regard.vectors.files import open_vectors
from regard.vectors.of_model import vectors_of
from regard.vectors.plane import Along, Plane, Principal
from regard.vectors.wordvectors import WordVectors

PLANES = 8  # of one table that are kept: each is two directions


@dataclass(eq=False)
class Table:
    """Word vectors, and the planes that were laid through them."""

    vectors: WordVectors
    planes: "OrderedDict[tuple[str, str] | None, Plane]" = field(default_factory=OrderedDict)

    @property
    def drawn(self) -> int:
        """How many words are on its map: the first ones."""
        return min(len(self.vectors), limits.POINTS)

    def plane(self, along: tuple[str, str] | None) -> Plane:
        """Along two sums of words; without them, along the directions in which the words differ most."""
        if along not in self.planes:
            vectors = self.vectors
            self.planes[along] = Along.of(vectors, *along) if along else Principal.of(vectors, self.drawn)
        self.planes.move_to_end(along)
        while len(self.planes) > PLANES:
            self.planes.popitem(last=False)
        return self.planes[along]


class Tables:
    """
    >>> tables = Tables(Shelf())
    >>> len(tables.table("fox").vectors), "english" in tables.names()
    (4, True)
    """

    def __init__(self, shelf: Shelf):
        self._shelf = shelf
        self._kept: OrderedDict[str, tuple[str, Table]] = OrderedDict()  # the last was asked for last
        self._lock = threading.Lock()

    def names(self) -> list[str]:
        """Files first; then every model that reads with a table, the trained ones before the toys."""
        deep = [name for name in self._shelf.places() if self._shelf.kind_of_work(name) == DEEP]
        toys = [name for name in MODELS if name not in deep and "E" in self._shelf.model(name).parameters]
        return list(dict.fromkeys([*self._shelf.vector_files(), *deep, *toys]))

    def table(self, name: str) -> Table:
        """Kept until its file or model changes, or others have been asked for since."""
        version = self._version(name)
        with self._lock:
            if name not in self._kept or self._kept[name][0] != version:
                self._kept.pop(name, None)
                self._kept[name] = version, Table(self._opened(name))
            self._kept.move_to_end(name)
            while len(self._kept) > limits.MODELS:
                self._kept.popitem(last=False)
            return self._kept[name][1]

    def _version(self, name: str) -> str:
        file = self._shelf.vector_files().get(name)
        if file is None:
            if name not in self._shelf.places():
                raise NotFound(f"no word vectors {name[:80]!r}; {suggestion(name, self.names())}")
            return self._shelf.version(name)
        try:
            found = os.stat(file)
        except OSError:
            return "gone"
        return f"{found.st_mtime_ns},{found.st_size}"

    def _opened(self, name: str) -> WordVectors:
        file = self._shelf.vector_files().get(name)
        if file is not None:
            try:
                found = open_vectors(file)
            except (ValueError, KeyError, OSError):  # the reason may name folders: that is for the terminal
                raise NotFound(f"{name} cannot be opened; in a terminal, regard vectors near … says why") from None
            found.name = name
            return found
        model = self._shelf.model(name)
        if "E" not in model.parameters:
            raise NotFound(f"{name} reads no word vectors: it begins further on; {suggestion(name, self.names())}")
        return vectors_of(model)
