"""The toys that come with regard: the files beside this one, by name."""

from dataclasses import replace
from pathlib import Path

from regard.models.model import Model
from regard.toys.begun import Begun
from regard.toys.toy_file import toy_file

FOLDER = Path(__file__).parent
EXAMPLE = FOLDER / "example.toml"  # what `regard toy new` writes


def shipped(name: str) -> Model:
    """
    >>> shipped("fox").sentence
    'The quick brown fox'
    """
    found = replace(toy_file(FOLDER / f"{name}.toml"), name=name)
    return replace(found, source="") if isinstance(found, Begun) else found  # nobody is to look into this file
