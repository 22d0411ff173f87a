"""A model that was trained here, from its run folder: a Model like the toys, so that all of regard looks inside."""

import math
import warnings
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from regard.checkpoints.places import DamagedCheckpoint, fallback_notes, name_of, newest
from regard.checkpoints.reading import (
    MOST_TOKENIZER,
    Damage,
    as_list,
    as_object,
    listed_in,
    parsed,
    tensors_in,
    verified,
)
from regard.checkpoints.writing import MOST_JSON
from regard.models.description import settings_of
from regard.models.listing import notes_of
from regard.models.model import Model
from regard.models.parameters import checked, count, shapes
from regard.models.settings import Settings
from regard.models.tasks import MaskedWord, NextWord, Task, TextClass
from regard.ops.narrow import Numbers
from regard.text.bpe import BPE
from regard.text.tokenizer import END, MASK

WIDEST = 8  # bytes of a number


def trained(folder: Path | str) -> Model:
    """The newest intact checkpoint of a run, or the best one where `patience` was set. Needs no torch."""
    return newest(folder, lambda place, step, passed_over: _best_or(str(folder), place, step, passed_over))


def _best_or(name: str, place: Path, step: int, passed_over: tuple[str, ...]) -> Model:
    """The best checkpoint, if this one names another as the best; a damaged one is passed over, with a note."""
    listed = listed_in(place, step)
    training = parsed(verified(place, "training.json", listed, MOST_JSON), "training.json")
    state = as_object(training.get("state")) or {}
    best: Any = (as_object(state.get("patience")) or {}).get("best")
    if type(best) is not int or not 0 <= best < step:
        return _model(name, place, step, passed_over)
    try:
        model = _model(name, place.parent / name_of(best), best, passed_over)
    except Damage as damage:
        return _model(name, place, step, (*passed_over, f"{name_of(best)}, the best: {damage}"))
    return replace(model, notes=(f"the best of {step:,} updates, by held-out loss", *model.notes))


def _model(name: str, place: Path, step: int, passed_over: tuple[str, ...]) -> Model:
    import safetensors.numpy

    fallen_back = fallback_notes(passed_over, step)

    listed = listed_in(place, step)
    if "tokenizer.json" not in listed:
        raise Damage("it has no tokenizer.json")
    config = parsed(verified(place, "config.json", listed, MOST_JSON), "config.json")
    try:
        settings = settings_of(config.get("model"))
        data = verified(place, "model.safetensors", listed, most=MOST_JSON + WIDEST * count(settings))
        arrays = tensors_in(data, "model.safetensors", safetensors.numpy.load)
        parameters = _fitting(arrays, settings)
        bpe = BPE.load(verified(place, "tokenizer.json", listed, MOST_TOKENIZER))
        task = _task(config, bpe)
        writes = task.classes if isinstance(task, TextClass) else bpe.vocabulary
        if bpe.size != settings.reads or len(writes) != settings.writes:
            raise ValueError(f"the tokenizer has {bpe.size} pieces, but the model reads {settings.reads}")
    except Damage:
        raise
    except (ValueError, TypeError) as error:
        raise Damage(f"config.json or tokenizer.json does not fit: {error}") from error
    for note in fallen_back:
        warnings.warn(note, DamagedCheckpoint, stacklevel=2)
    sentence = config.get("sentence")
    return Model(
        name=name,
        title=f"{Path(name).name or name} (trained here, {step:,} updates)",
        settings=settings,
        parameters=parameters,
        reads=bpe.vocabulary,
        writes=writes,
        mask="causal" if isinstance(task, NextWord) else "both",
        notes=(*fallen_back, *notes_of(config)),
        sentence=sentence if isinstance(sentence, str) and sentence.strip() else "The",
        tokenizer=bpe,
        task=task,
    )


def _fitting(arrays: Mapping[str, np.ndarray], settings: Settings) -> dict[str, Numbers]:
    """The parameters that the settings need. Sizes are compared before anything of these sizes is made."""
    if settings.layers > len(arrays):
        raise ValueError(f"the settings have {settings.layers:,} layers, but there are {len(arrays):,} parameters")
    if sum(math.prod(shape) for _, shape in shapes(settings).values()) != sum(a.size for a in arrays.values()):
        raise ValueError("the number of parameters is not what the settings need")
    parameters = {name: array for name, (_, array) in checked(settings, arrays).items()}
    if not all(np.isfinite(array).all() for array in parameters.values()):
        raise ValueError("some parameters are NaN or infinite")
    return parameters


def _task(config: dict[str, Any], bpe: BPE) -> Task:
    """What the run has learned to answer."""
    name, classes = config.get("task"), as_list(config.get("classes")) or ()
    if name == MaskedWord.name and bpe.mask is not None:
        return MaskedWord(MASK)
    if name == TextClass.name and classes and all(isinstance(c, str) and c for c in classes):
        return TextClass(END, tuple(classes))
    if name != NextWord.name:
        raise ValueError(f"unknown task {str(name)[:40]!r}")
    return NextWord()
