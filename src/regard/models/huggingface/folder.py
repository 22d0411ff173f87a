"""A folder in Hugging Face's layout, as a Model like the toys: all of regard can look inside. Needs no torch."""

import math
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from regard.checkpoints.reading import MANIFEST, as_list, as_object, few
from regard.models.huggingface.config import MOST_LAYERS
from regard.models.huggingface.files import TYPES, Tensor, json_file, mapped, small_file, tensors_in
from regard.models.huggingface.layout import Layout, Row
from regard.models.huggingface.layouts import CLASSIFYING, LAYOUTS
from regard.models.model import Model
from regard.models.parameters import shapes
from regard.models.parts import NoTransform
from regard.models.settings import Settings
from regard.models.tasks import MaskedWord, NextWord, Task, TextClass
from regard.ops.narrow import Narrow
from regard.text.pieces import Pieces
from regard.text.tokenizer import END, MASK
from regard.text.tokenizer_file import MOST_BYTES

CONFIG, TOKENIZER, TOKENIZER_CONFIG = "config.json", "tokenizer.json", "tokenizer_config.json"
WITHOUT_A_TASK = (
    "it was saved without the part that predicts words, so predictions only compare with the word embeddings"
)


def is_huggingface(folder: str | os.PathLike[str]) -> bool:
    """Whether a folder is one of theirs: a config.json, and nothing that regard writes beside it."""
    there = Path(folder)
    return (there / CONFIG).is_file() and not (there / MANIFEST).exists() and not (there / "checkpoints").is_dir()


def huggingface(folder: str | os.PathLike[str]) -> Model:
    """The model of a folder that `save_pretrained` wrote. Only safetensors and JSON are read, and nothing is run."""
    try:
        return _model(Path(folder))
    except (ValueError, OSError) as error:
        raise ValueError(f"{folder} cannot be used: {error}") from error


def _model(folder: Path) -> Model:
    config = json_file(folder, CONFIG)
    layout = _layout(config)
    special = _special_pieces(folder)
    tensors = tensors_in(folder)
    settings = layout.settings(config)
    complete = layout.classes is not None or _predicts(layout, settings, tensors)
    settings = settings if complete else replace(settings, transform=NoTransform(), tied=True)
    _refuse_sizes(layout, settings, tensors)
    parameters = _parameters(folder, layout, settings, tensors)
    pieces = Pieces.load(small_file(folder, TOKENIZER, MOST_BYTES), settings.reads, special)
    return Model(
        name=str(folder),
        title=f"{folder.resolve().name} ({layout.said}, Hugging Face)",
        settings=settings,
        parameters=parameters,
        reads=pieces.vocabulary,
        writes=pieces.vocabulary if layout.classes is None else layout.classes(config),
        mask=layout.mask,
        task=_task(layout, config, pieces) if complete else NextWord(),
        notes=() if complete else (WITHOUT_A_TASK,),
        sentence="The quick brown fox",
        tokenizer=pieces,
        is_found_again=True,
        end=pieces.special.get("eos_token", END),
    )


def _task(layout: Layout, config: Mapping[str, Any], pieces: Pieces) -> Task:
    """What it is asked: where words look both ways, hidden words are guessed."""
    if layout.classes is not None:
        return TextClass(None, layout.classes(config))
    mask = pieces.special.get("mask_token", MASK)
    guesses = layout.mask == "both" and mask in pieces.vocabulary
    return MaskedWord(mask, pieces.around) if guesses else NextWord()


def _layout(config: Mapping[str, Any]) -> Layout:
    _refuse_code(config, CONFIG)
    kind = config.get("model_type")
    if not isinstance(kind, str) or kind not in LAYOUTS:
        came = f"the model_type {kind[:40]!r}" if isinstance(kind, str) else "no model_type"
        raise ValueError(f"config.json has {came}; regard reads {', '.join(LAYOUTS)}")
    named = as_list(config.get("architectures")) or [None]
    found = CLASSIFYING.get(named[0]) if isinstance(named[0], str) else None
    return found if found is not None and found.model_type == kind else LAYOUTS[kind]


def _predicts(layout: Layout, settings: Settings, tensors: Mapping[str, Tensor]) -> bool:
    """Whether any tensor of the task on top is present; a model saved for other uses has none."""
    top = [row for row in layout.rows(replace(settings, layers=1)) if not row.theirs.startswith(layout.prefix)]
    return not top or any(_name_of(row, layout, tensors) in tensors for row in top)


def _refuse_code(config: Mapping[str, Any], name: str) -> None:
    if config.get("auto_map"):
        raise ValueError(f"{name} asks to run the model's own code (auto_map); regard never does")


def _special_pieces(folder: Path) -> dict[str, str]:
    """What the end of a text, a hidden word and so on are called; a tokenizer works without them."""
    if not (folder / TOKENIZER_CONFIG).is_file():
        return {}
    config = json_file(folder, TOKENIZER_CONFIG)
    _refuse_code(config, TOKENIZER_CONFIG)
    named = {name: value for name, value in config.items() if name.endswith("_token")}
    pieces: dict[str, Any] = {n: (as_object(value) or {"content": value}).get("content") for n, value in named.items()}
    return {name: piece for name, piece in pieces.items() if isinstance(piece, str) and piece}


def _refuse_sizes(layout: Layout, settings: Settings, tensors: Mapping[str, Tensor]) -> None:
    """Sizes are compared before anything of that size is made."""
    if settings.layers > MOST_LAYERS:
        raise ValueError(f"config.json has {settings.layers:,} layers; at most {MOST_LAYERS:,} are read")
    one_layer = replace(settings, layers=1)
    in_a_layer = sum(row.names[0].startswith("layer0.") for row in layout.rows(one_layer))
    if settings.layers * in_a_layer > len(tensors):
        raise ValueError(f"config.json has {settings.layers:,} layers, but the weights have {len(tensors):,} tensors")
    needed = sum(math.prod(shape) for _, shape in shapes(settings).values())
    there = sum(math.prod(tensor.shape) for tensor in tensors.values())
    if needed > there:
        raise ValueError(f"config.json describes {needed:,} numbers, but the weights have {there:,}")


def _parameters(folder: Path, layout: Layout, settings: Settings, tensors: Mapping[str, Tensor]) -> dict[str, Narrow]:
    """Our parameters as views of their files: nothing is copied, and numbers are widened where they are read."""
    wanted = shapes(settings)
    held = {row: _name_of(row, layout, tensors) for row in layout.rows(settings)}
    if missing := [row.theirs for row, name in held.items() if name not in tensors]:
        raise ValueError(f"the weights lack {few(missing)}")
    for row, name in held.items():
        _check(name, tensors[name], row.shape(wanted))
    if extra := [name for name in tensors.keys() - held.values() if not _is_ignored(name, layout, settings)]:
        raise ValueError(
            f"the weights hold {few(sorted(extra))}, which is no part of {layout.said} as regard computes it"
        )
    if sum(tensors[name].bytes for name in held.values()) > sum(_sizes(folder, tensors).values()):
        raise ValueError("the weights use the same bytes for several tensors")
    parameters: dict[str, Narrow] = {}
    for (row, name), found in zip(held.items(), mapped(folder, (tensors[name] for name in held.values()))):
        if not Narrow(found).is_finite:
            raise ValueError(f"{few([name])} holds NaN or infinite numbers")
        parameters |= {ours: Narrow(array) for ours, array in row.to_ours(found, wanted).items()}
    return {name: parameters[name] for name in wanted}


def _name_of(row: Row, layout: Layout, tensors: Mapping[str, Tensor]) -> str:
    """The tensor's name in this folder: without a task on top it has no prefix, and old files call gains gamma."""
    plain = row.theirs.removeprefix(layout.prefix)
    old = plain.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta")
    return next((name for name in (row.theirs, plain, layout.prefix + old, old) if name in tensors), row.theirs)


def _check(name: str, tensor: Tensor, shape: tuple[int, ...]) -> None:
    if tensor.kind not in TYPES:
        raise ValueError(f"{few([name])} holds {tensor.kind[:10]!r}; regard reads {', '.join(TYPES)}")
    if tensor.shape != shape:
        raise ValueError(f"{few([name])} has the shape {tensor.shape}, but config.json needs {shape}")
    if tensor.bytes != math.prod(shape) * np.dtype(TYPES[tensor.kind]).itemsize:
        raise ValueError(f"{few([name])} has {tensor.bytes:,} bytes, which does not match its shape {shape}")


def _is_ignored(name: str, layout: Layout, settings: Settings) -> bool:
    """What holds nothing learned, or repeats the table that serves both reading and writing."""
    return any(part in name for part in layout.ignored) or (settings.tied and name in layout.copies)


def _sizes(folder: Path, tensors: Mapping[str, Tensor]) -> dict[str, int]:
    return {file: (folder / file).stat().st_size for file in {tensor.file for tensor in tensors.values()}}
