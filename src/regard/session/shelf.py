"""The models that may be opened here, by name: those that come with regard, and runs in folders named at the start.

A name is looked up in a list. It is never used as a path, so nobody can ask what else is on this machine.
"""

import contextlib
import os
import threading
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from regard.checkpoints.places import newest_first
from regard.models.catalogue import MODELS, find_model, is_toy_file
from regard.models.model import Model
from regard.ops.narrow import Narrow, Numbers
from regard.suggestions import NotFound, suggestion

TOY = 20_000  # up to this many parameters, every number is sent to the page


class Shelf:
    """
    >>> Shelf().model("two-heads").settings.heads
    2
    """

    def __init__(self, runs: Path | None = None, opened: Iterable[str] = ()):
        self.runs = runs
        self._opened = {public_name(path): path for path in opened}
        self._models: dict[str, tuple[object, Model]] = {}
        self._lock = threading.Lock()

    def places(self) -> dict[str, str]:
        """Every name, and what `find_model` knows it by."""
        found = {name: name for name in MODELS} | self._opened
        if self.runs is not None and self.runs.is_dir():
            for folder in sorted(self.runs.iterdir()):
                if newest_first(folder / "checkpoints") and folder.name.isprintable():
                    found.setdefault(f"runs/{folder.name}", str(folder))
        return found

    def place(self, name: str) -> str:
        places = self.places()
        if name not in places:
            raise NotFound(f"no model {name[:80]!r}; {suggestion(name, places)}")
        return places[name]

    def version(self, name: str) -> str:
        """What changes when the model does: a run in training gets a new checkpoint, a toy's file is written again."""
        if name in MODELS and name not in self._opened:
            return ""
        place = self.place(name)
        if is_toy_file(place):
            with contextlib.suppress(OSError):
                found = os.stat(place)
                return f"{found.st_mtime_ns},{found.st_size}"
        newest = newest_first(Path(place) / "checkpoints")[:1]
        return ",".join(str(step) for step, _ in newest)

    def model(self, name: str) -> Model:
        version = self.version(name)
        with self._lock:
            if name not in self._models or self._models[name][0] != version:
                self._models[name] = version, self._load(name)
            return self._models[name][1]

    def _load(self, name: str) -> Model:
        place = self.place(name)
        try:
            found = find_model(place)
        except (ValueError, KeyError, OSError) as problem:
            if is_toy_file(place) and isinstance(problem, ValueError):  # by line and column, under its public name
                raise NotFound(str(problem).replace(place, name)) from None
            # the reason may name folders of this machine: that is for the terminal
            raise NotFound(f"{name} cannot be opened; in a terminal, regard explain … --model says why") from None
        return replace(found, name=name, parameters={n: _frozen(array) for n, array in found.parameters.items()})

    def listing(self) -> list[dict[str, Any]]:
        return [self._described(name) for name in self.places()]

    def _described(self, name: str) -> dict[str, Any]:
        try:
            model = self.model(name)
        except NotFound as problem:
            return {"name": name, "problem": str(problem)}
        settings = model.settings
        return {
            "name": name,
            "title": model.title,
            "notes": list(model.notes),
            "size": "toy" if is_toy(model) else "deep",
            "sentence": model.sentence,
            "next": model.next,
            "mask": model.mask,
            "task": model.task.name,
            "lesson": model.lesson,
            "layers": settings.layers,
            "heads": settings.heads,
            "width": settings.width,
            "vocabulary": len(model.writes),
            "max_tokens": settings.max_tokens,
        }


def _frozen(array: Numbers) -> Numbers:
    """The same numbers, read-only, so that runs can share them; large arrays are not copied for that."""
    if isinstance(array, Narrow):
        return array
    own = array.dtype == np.float64 and array.flags.c_contiguous and array.base is None and array.size > TOY
    result = array if own else np.array(array, dtype=np.float64, order="C")
    result.setflags(write=False)
    return result


def is_toy(model: Model) -> bool:
    return sum(array.size for array in model.parameters.values()) <= TOY


def public_name(path: str) -> str:
    """A folder named at the start is known by its last part; a model that comes with regard by its own name."""
    return path if path in MODELS else (Path(path).resolve().name or "model")
