"""The models that may be opened here, by name: those that come with regard, and runs in folders named at the start.

A name is looked up in a list. It is never used as a path, so nobody can ask what else is on this machine.
"""

import contextlib
import os
import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from regard.checkpoints.places import newest_first
from regard.models.catalogue import MODELS, find_model, is_toy_file
from regard.models.listing import Listed, built_in, run_at
from regard.models.model import Model
from regard.ops.narrow import Narrow, Numbers
from regard.session import limits
from regard.session.refusal import TooLarge
from regard.session.watched import CANNOT, SENTENCE, Reads, Watch
from regard.suggestions import NotFound, suggestion
from regard.toys.toy_file import toy_text
from regard.vectors.finding import RESULT, vectors_file

DEEP = "deep"  # the work on all models that are not toys: only one of them needs its memory at a time
FIRST_WORDS = 8  # of a toy that names no sentence: something to begin with
TOY = 20_000  # up to this many parameters, every number is sent to the page


class Shelf:
    """
    >>> Shelf().model("two-heads").settings.heads
    2
    """

    def __init__(self, runs: Path | None = None, opened: Iterable[str] = (), watch: Watch = lambda _: None):
        self.runs = runs
        self._watch, self._watched = watch, dict[str, Reads | None]()
        self._in_glass: dict[tuple[str, str], bool] = {}
        files = {path: vectors_file(path) for path in opened}
        self._opened = {public_name(path): path for path, file in files.items() if file is None}
        self._vectors = {public_name(path): file for path, file in files.items() if file is not None}
        self._models: OrderedDict[str, tuple[object, Model]] = OrderedDict()  # the last was asked for last
        self._lock = threading.Lock()

    def places(self) -> dict[str, str]:
        """Every name, and what `find_model` knows it by."""
        found = {name: name for name in MODELS} | self._opened
        if self.runs is not None and self.runs.is_dir():
            for folder in sorted(self.runs.iterdir()):
                if newest_first(folder / "checkpoints") and folder.name.isprintable():
                    found.setdefault(f"runs/{folder.name}", str(folder))
        return found

    def vector_files(self) -> dict[str, str]:
        """Files of word vectors: those named at the start, and what `regard vectors train` has left among the runs."""
        found = dict(self._vectors)
        if self.runs is not None and self.runs.is_dir():
            for folder in sorted(self.runs.iterdir()):
                if (folder / RESULT).is_file() and folder.name.isprintable():
                    found.setdefault(f"runs/{folder.name}", str(folder / RESULT))
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
            self._models.move_to_end(name)
            deep = [name for name, (_, model) in self._models.items() if not is_toy(model)]
            for other in deep[: -limits.MODELS]:
                del self._models[other]
            return self._models[name][1]

    def watched(self, name: str) -> Reads | None:
        """What reads texts with the own code of a model that was named at the start; None where nobody can."""
        if name not in self._opened:
            return None
        with self._lock:
            if name not in self._watched:
                self._watched[name] = self._watch(self._opened[name])
            return self._watched[name]

    def is_in_glass(self, name: str) -> bool:
        """Found out once for each version: a folder that is not may take a while to say so."""
        known = (name, self.version(name))
        if known not in self._in_glass:
            try:
                self.model(name)
                self._in_glass[known] = True
            except NotFound:
                self._in_glass[known] = False
        return self._in_glass[known]

    def toy(self, name: str, text: str) -> Model:
        """A toy that came as text: nothing is looked up, and its name is only what it is called."""
        with self._lock:
            return _toy(name, text)

    def told(self, name: str, text: str) -> dict[str, Any]:
        """A toy that came as text, as the listing describes models."""
        found = self.toy(name, text)
        return {**_told(name, _listed(found)), "words": found.reads[:FIRST_WORDS]}

    def kind_of_work(self, name: str) -> str:
        """Which requests are answered one after the other: those about one toy, and those about any deep model."""
        return name if name in _toys() and name not in self._opened else DEEP

    def _load(self, name: str) -> Model:
        place = self.place(name)
        try:
            found = find_model(place)
        except (ValueError, KeyError, OSError) as problem:
            if is_toy_file(place) and isinstance(problem, ValueError):  # by line and column, under its public name
                raise NotFound(str(problem).replace(place, name)) from None
            raise NotFound(_cannot_be_opened(name)) from None
        return replace(found, name=name, parameters={n: _frozen(array) for n, array in found.parameters.items()})

    def listing(self) -> list[dict[str, Any]]:
        """Every model as its configuration describes it. None is loaded but one that was named at the start."""
        return [self._described(name, place) for name, place in self.places().items()]

    def _described(self, name: str, place: str) -> dict[str, Any]:
        if name in self._opened:
            try:
                return _told(name, _listed(self.model(name)))
            except NotFound as problem:
                if self.watched(name) is not None:
                    return _told_of_watched(name)
                return {"name": name, "problem": str(problem)}
        found = _built_in()[name] if name in MODELS else run_at(Path(place))
        return _told(name, found) if found.problem is None else {"name": name, "problem": _cannot_be_opened(name)}


def _told(name: str, found: Listed) -> dict[str, Any]:
    settings = found.settings
    assert settings is not None
    return {
        "name": name,
        "title": found.title,
        "notes": list(found.notes),
        "size": "toy" if found.parameters <= TOY else "deep",
        "sentence": found.sentence,
        "next": found.next,
        "mask": found.mask,
        "task": found.task,
        "lesson": found.lesson,
        "layers": settings.layers,
        "heads": settings.heads,
        "width": settings.width,
        "vocabulary": settings.writes,
        "max_tokens": settings.max_tokens,
    }


def _told_of_watched(name: str) -> dict[str, Any]:
    """Of a model that is not in glass, what there is to choose it by."""
    plain = {"size": "deep", "sentence": SENTENCE, "next": None, "mask": "causal", "task": None, "lesson": None}
    return {"name": name, "title": f"{name} (watched)", "notes": list(CANNOT), "watched": True, **plain}


def _listed(model: Model) -> Listed:
    parameters = sum(array.size for array in model.parameters.values())
    return Listed(
        model.name,
        parameters,
        sentence=model.sentence,
        title=model.title,
        settings=model.settings,
        task=model.task.name,
        notes=model.notes,
        next=model.next,
        lesson=model.lesson,
        mask=model.mask,
    )


def _cannot_be_opened(name: str) -> str:
    # the reason may name folders of this machine: that is for the terminal
    return f"{name} cannot be opened; in a terminal, regard explain … --model says why"


@cache
def _built_in() -> dict[str, Listed]:
    return {model.name: model for model in built_in()}


@cache
def _toys() -> frozenset[str]:
    return frozenset(name for name, model in _built_in().items() if model.parameters <= TOY)


@lru_cache(maxsize=8)
def _toy(name: str, text: str) -> Model:
    found = toy_text(text, name)
    parameters = sum(array.size for array in found.parameters.values())
    if parameters > TOY:
        raise TooLarge(
            f"{name[:80]} has {parameters:,} numbers, a toy of the page at most {TOY:,}; open it with regard open FILE"
        )
    return replace(found, name=name, parameters={n: _frozen(array) for n, array in found.parameters.items()})


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
