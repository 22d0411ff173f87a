"""A run's folder, written without training, so that a test can say what stands in it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import safetensors.numpy

from regard.checkpoints.places import put
from regard.models.description import described
from regard.models.parameters import random_parameters
from regard.models.settings import Settings
from regard.models.shipped import WEIGHTS

UPDATES = 7


@pytest.fixture
def write_run() -> Callable[..., Path]:
    def written(folder: Path, classes: tuple[str, ...] = (), **config: Any) -> Path:
        pieces = (WEIGHTS / "english.tokenizer.json").read_bytes()
        settings = Settings(width=2, heads=1, layers=1, reads=8192, writes=len(classes) or 8192, max_tokens=32)
        told = {"model": described(settings), "task": "classify" if classes else "next", "classes": list(classes)}
        home = folder / "checkpoints"
        home.mkdir(parents=True)
        arrays = safetensors.numpy.save(random_parameters(settings, seed=1))
        put(home, UPDATES, {
            "config.json": [json.dumps(told | config).encode()],
            "model.safetensors": [arrays],
            "training.json": [b'{"state": {}}'],
            "training.safetensors": [safetensors.numpy.save({})],
            "tokenizer.json": [pieces],
        })  # fmt: skip
        return folder

    return written
