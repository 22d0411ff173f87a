"""Which models there are, read from their descriptions: no parameters are loaded."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from regard.checkpoints.places import newest, newest_first
from regard.checkpoints.reading import Damage, listed_in, parsed, verified
from regard.checkpoints.writing import MOST_JSON
from regard.models.description import settings_of
from regard.models.names import MODELS
from regard.models.parameters import count
from regard.models.settings import Settings
from regard.models.tasks import MaskedWord, NextWord, TextClass

PREDICTS = {  # what a model of each task predicts
    NextWord.name: "next word",
    MaskedWord.name: "hidden words",
    TextClass.name: "class of a text",
}


@dataclass(frozen=True)
class Listed:
    """One model in a line; for one that cannot be opened, why not."""

    name: str
    parameters: int = 0
    layers: int = 0
    heads: int = 0
    predicts: str = ""
    origin: str = ""
    sentence: str = ""
    problem: str | None = None
    title: str = ""
    settings: Settings | None = None
    task: str = NextWord.name
    notes: tuple[str, ...] = ()
    next: str | None = None
    lesson: str | None = None
    mask: str = "causal"  # who may look at whom, unless something else is asked for


def built_in() -> Iterator[Listed]:
    """
    >>> [(model.name, model.parameters) for model in built_in()][:2]
    [('fox', 33), ('fox-with-pizza', 33)]
    """
    for name, (place, function, arguments) in MODELS.items():
        module = import_module(place)
        if hasattr(module, "TITLE"):  # its numbers are in a file, which stays closed
            task = getattr(module, "TASK", NextWord())
            found = _listed(name, module.settings(), task.name, module.TITLE, module.SENTENCE)
            yield replace(found, notes=module.NOTES, next=module.NEXT)
        else:
            toy = getattr(module, function)(*arguments)
            found = _listed(name, toy.settings, toy.task.name, toy.title, toy.sentence)
            numbers = sum(array.size for array in toy.parameters.values())
            yield replace(found, parameters=numbers, notes=toy.notes, next=toy.next, lesson=toy.lesson, mask=toy.mask)


def runs_in(folder: str | os.PathLike[str]) -> Iterator[Listed]:
    """The runs of `regard train` in a folder, by their newest checkpoint."""
    there = Path(folder)
    for place in sorted(there.iterdir()) if there.is_dir() else ():
        if newest_first(place / "checkpoints"):
            yield run_at(place)


def run_at(place: Path) -> Listed:
    """One run, from the configuration of its newest checkpoint."""
    try:
        return newest(place, partial(_run, str(place)))
    except (ValueError, OSError) as error:
        return Listed(str(place), problem=str(error))


def _run(name: str, checkpoint: Path, step: int, _: tuple[str, ...]) -> Listed:
    config = parsed(verified(checkpoint, "config.json", listed_in(checkpoint, step), MOST_JSON), "config.json")
    try:
        settings = settings_of(config.get("model"))
    except (ValueError, TypeError) as error:
        raise Damage(f"config.json does not fit: {error}") from error
    title = f"{Path(name).name or name} (trained here, {step:,} updates)"
    found = _listed(name, settings, str(config.get("task")), title, str(config.get("sentence") or ""))
    return replace(found, notes=notes_of(config))


def _listed(name: str, settings: Settings, task: str, title: str, sentence: str) -> Listed:
    origin = title.rpartition(" (")[2].removesuffix(")")
    predicts = PREDICTS.get(task, f"learned the task {task[:40]}")
    return Listed(
        name,
        count(settings),
        settings.layers,
        settings.heads,
        predicts,
        origin,
        sentence,
        title=title,
        settings=settings,
        task=task,
        mask="causal" if task == NextWord.name else "both",
    )


def notes_of(config: Mapping[str, Any]) -> tuple[str, ...]:
    """What a run's configuration says about it."""
    text = config.get("text")
    return (f"trained on {text[:60]}",) if isinstance(text, str) and text.isprintable() else ()
