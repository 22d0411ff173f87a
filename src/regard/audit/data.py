"""The patterns and words of `data.toml`, by their names: `data.IS_WEIGHT`."""

import re
import tomllib
from importlib.resources import files
from typing import Any

_TABLES = tomllib.loads(files("regard.audit").joinpath("data.toml").read_text("utf-8"))
_TEXTS: dict[str, dict[str, str]] = _TABLES
PIECES, SIGNS, COMMANDS, WAYS = (_TEXTS[name] for name in ("pieces", "signs", "commands", "ways"))
CONVENTIONS, ATTENTION = _TEXTS["conventions"], _TEXTS["attention"]
NAMES = {word.replace("_", " "): name for name, words in _TABLES["names"].items() for word in words.split()}
NOTATION, DOUBTS = _TABLES["notation"], _TABLES["doubts"]
MEANINGS = {
    kind: {name: text.split(" | ") for names, text in _TABLES[kind].items() for name in names.split()}
    for kind in ("items", "rows", "pairs", "families")
}
globals().update({name: frozenset(words.split()) for name, words in _TABLES["words"].items()})


def __getattr__(name: str) -> Any:
    """A pattern, compiled when it is first used."""
    if name not in _TABLES["patterns"]:
        raise AttributeError(f"data.toml has no {name}; add it to its patterns or words")
    return globals().setdefault(name, re.compile("".join(_TABLES["patterns"][name])))
