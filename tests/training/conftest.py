"""A small text and small runs for the tests of training."""

import random
from pathlib import Path

import pytest

from regard.cli.main import run

TINY = ["width=16", "layers=1", "heads=2", "vocabulary=300", "window=16", "batch=4", "updates=6",
        "evaluate_every=3", "evaluate_batches=1", "save_every=2", "dropout=0.1", "optimiser=adamw"]  # fmt: skip


def some_text(sentences: int = 400, seed: int = 3) -> str:
    chance = random.Random(seed)
    who, does, what = (
        ("the fox", "a dog", "Anna", "the old king"),
        ("sees", "likes", "jumps over"),
        ("a cat", "it", "us"),
    )
    parts = [f"{chance.choice(who)} {chance.choice(does)} {chance.choice(what)}." for _ in range(sentences)]
    return "\n".join(" ".join(parts[i : i + 5]) for i in range(0, sentences, 5))


def options(settings: list[str]) -> list[str]:
    return [word for setting in settings for word in ("--set", setting)]


@pytest.fixture(scope="session")
def tiny() -> list[str]:
    return options(TINY)


@pytest.fixture(scope="session")
def set_options():
    return options


@pytest.fixture(scope="session")
def text_of():
    return some_text


@pytest.fixture(scope="session")
def text_file(tmp_path_factory) -> Path:
    file = tmp_path_factory.mktemp("text") / "notes.txt"
    file.write_text(some_text(), encoding="utf-8")
    return file


@pytest.fixture(scope="session")
def trained_run(tmp_path_factory, text_file, tiny) -> Path:
    """A finished run of six updates; nobody writes to it."""
    folder = tmp_path_factory.mktemp("trained") / "notes"
    assert run(["train", str(text_file), "--out", str(folder), *tiny]) == 0
    return folder
