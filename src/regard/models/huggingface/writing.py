"""A model as a folder that `transformers` loads: config.json, model.safetensors, tokenizer.json."""

import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from regard.checkpoints.places import PARTIAL, remove
from regard.checkpoints.writing import json_bytes, write
from regard.models.huggingface.files import WEIGHTS
from regard.models.huggingface.folder import CONFIG, TOKENIZER, TOKENIZER_CONFIG
from regard.models.huggingface.layout import Layout
from regard.models.huggingface.layouts import layout_of
from regard.models.model import Model
from regard.models.tasks import TextClass
from regard.replacing import sync_folder
from regard.text.bpe import BPE
from regard.text.pieces import Pieces
from regard.text.tokenizer import END, MASK

GENERATION = "generation_config.json"


def save_as_huggingface(model: Model, folder: str | os.PathLike[str]) -> Layout:
    """Write a model to a new folder, completely or not at all; returns the layout that holds it.

    >>> from regard.models.catalogue import find_model
    >>> save_as_huggingface(find_model("fox"), "fox")
    Traceback (most recent call last):
    ValueError: no Hugging Face layout holds this model; the nearest is GPT-2, with ...
    """
    place = Path(os.path.abspath(folder))
    if os.path.lexists(place):
        raise ValueError(f"{folder} already exists; choose another folder, or remove it first")
    if isinstance(model.task, TextClass):
        raise ValueError(f"the model {model.name} predicts classes; only models that predict words can be written")
    layout = layout_of(model.settings, model.mask)
    contents = files_of(model, layout)
    os.makedirs(place.parent, exist_ok=True)
    partial = place.parent / f"{PARTIAL}{place.name}-{secrets.token_hex(4)}"
    os.mkdir(partial)
    try:
        for name, data in contents.items():
            write(partial / name, [data])
        sync_folder(partial)
        os.rename(partial, place)
        sync_folder(place.parent)
    finally:
        if partial.exists():
            remove(partial)
    return layout


def files_of(model: Model, layout: Layout) -> dict[str, bytes]:
    """The files of the folder by name."""
    import safetensors.numpy

    tokenizer = model.tokenizer
    if not isinstance(tokenizer, BPE | Pieces):
        raise ValueError(
            f"the model {model.name} cuts a text into words as they are written and makes up vectors for new ones; "
            "a Hugging Face folder needs a vocabulary of pieces, as trained models have"
        )
    special = _our_pieces(tokenizer) if isinstance(tokenizer, BPE) else dict(tokenizer.special)
    numbers = {f"{name}_id": tokenizer.engine.token_to_id(piece) for name, piece in special.items()}
    ends = {name: numbers.get(name) for name in ("bos_token_id", "eos_token_id")}
    arrays = layout.to_theirs(model.settings, model.parameters)
    return {
        CONFIG: json_bytes(_config(model, layout, ends | {"pad_token_id": numbers.get("pad_token_id")}), CONFIG),
        GENERATION: json_bytes({name: number for name, number in ends.items() if number is not None}, GENERATION),
        WEIGHTS: safetensors.numpy.save(arrays, metadata={"format": "pt"}),
        TOKENIZER: tokenizer.save(),
        TOKENIZER_CONFIG: json_bytes(_tokenizer_config(model, tokenizer.save(), special), TOKENIZER_CONFIG),
    }


def _our_pieces(bpe: BPE) -> dict[str, str]:
    return {"eos_token": END, "bos_token": END} | ({} if bpe.mask is None else {"mask_token": MASK})


def _config(model: Model, layout: Layout, numbers: Mapping[str, int | None]) -> dict[str, Any]:
    return {
        "architectures": [layout.architecture],
        "model_type": layout.model_type,
        **numbers,
        **layout.config(layout.filled(model.settings)),
        "dtype": "float32",
    }


def _tokenizer_config(model: Model, tokenizer: bytes, special: Mapping[str, str]) -> dict[str, Any]:
    # transformers 4 takes the space before a text from here, and not from tokenizer.json
    cut: dict[str, Any] = json.loads(tokenizer).get("pre_tokenizer") or {}
    return {
        "tokenizer_class": "PreTrainedTokenizerFast",  # the one that uses tokenizer.json as it is
        "model_max_length": model.settings.max_tokens,
        "clean_up_tokenization_spaces": False,
        **({"add_prefix_space": cut["add_prefix_space"]} if "add_prefix_space" in cut else {}),
        **special,
    }
