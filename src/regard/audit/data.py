"""The patterns and words of `data.toml`, by their names: `data.IS_WEIGHT`."""

import re
import tomllib
from importlib.resources import files
from typing import Any

_TABLES = tomllib.loads(files("regard.audit").joinpath("data.toml").read_text("utf-8"))
PHRASES: list[dict[str, Any]] = _TABLES["phrases"]
UNITS: dict[str, str] = _TABLES["units"]
SIGNS: dict[str, str] = _TABLES["signs"]
COMMANDS: dict[str, str] = _TABLES["commands"]
NAMES = {word.replace("_", " "): name for name, words in _TABLES["names"].items() for word in words.split()}
FORMULAS: dict[str, list[str]] = _TABLES["formulas"]
CALLED: dict[str, str] = _TABLES["called"]
SAYINGS: list[dict[str, Any]] = _TABLES["sayings"]
CUES: list[dict[str, Any]] = _TABLES["cues"]
DOUBTS: list[dict[str, Any]] = _TABLES["doubts"]
globals().update({name: frozenset(words.split()) for name, words in _TABLES["words"].items()})


def __getattr__(name: str) -> Any:
    """A pattern, compiled when it is first used."""
    if name not in _TABLES["patterns"]:
        raise AttributeError(f"data.toml has no {name}; add it to its patterns or words")
    return globals().setdefault(name, re.compile("".join(_TABLES["patterns"][name])))
