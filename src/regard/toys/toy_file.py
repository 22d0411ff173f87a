"""A toy from a TOML file, and what is wrong with it by line and column."""

import os
import re
import tomllib
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import Any

from regard import strangers
from regard.models.model import Model
from regard.suggestions import suggestion
from regard.toys.begun import Begun
from regard.toys.places import STRING, Places, line_and_column, located
from regard.toys.problem import ToyProblem, written
from regard.toys.toy import toy

MOST_BYTES = 1_000_000
# what a file may say: what `toy` takes, but for its name, which is that of the file
KEYS = tuple(name for name in signature(toy).parameters if name != "name")
# what to write instead of what is not a key, but might be
INSTEAD = {
    **dict.fromkeys(
        ("heads", "n_heads", "num_heads"),
        "for two heads, give W_Q, W_K and W_V as lists of two matrices: W_Q = [[[1.0], [0.0]], [[0.0], [1.0]]]",
    ),
    **dict.fromkeys(
        ("layers", "n_layers"),
        "a toy written by hand has one layer; one with random numbers may have more: random = { layers = 2 }",
    ),
    **dict.fromkeys(("width", "d_model"), "leave it out: the width is how many numbers each word has"),
    **dict.fromkeys(
        ("d_k", "head_size"),
        "leave it out: heads are as wide as W_Q has columns; what given scores are scaled by is head_width",
    ),
    **dict.fromkeys(("text", "prompt"), 'write sentence = "the small cat"'),
    **dict.fromkeys(
        ("embeddings", "vocabulary"), "the words it reads are a table [words], those it can say a table [next]"
    ),
    "bias": "to add to the scores by distance, write positions = { distance = [0.0, -0.5] }",
}
# a key of very many parts, a.b.c…, takes tomllib minutes; nobody needs more than three
LONG_KEY = re.compile(r"""(?<![\w"'-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){16}""")
MOST_DIGITS, DEEPEST = 4_000, 16
LONG_NUMBER = re.compile(rf"(?<![\w.])[+-]?\d[\d_]{{{MOST_DIGITS},}}(?![\w.])")
BRACKET = re.compile(STRING.pattern + r"|#[^\n]*|[\[\]{}]", re.DOTALL)
POSITION = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")


def toy_file(path: str | os.PathLike[str]) -> Model:
    """The toy that a file describes; its name is the path it was opened by."""
    name = os.fspath(path)
    data = _bytes_of(Path(path))
    if len(data) > MOST_BYTES:
        raise ToyProblem(f"{name}: more than {MOST_BYTES:,} bytes; a toy is small enough to be checked by hand")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        read = error.object[: error.start].decode()
        told = f"this is not UTF-8: byte {error.object[error.start]:#04x}; save it as UTF-8"
        raise _at(read + "?", len(read), name, told) from None
    return toy_text(text, name, os.path.dirname(name))


def _bytes_of(path: Path) -> bytes:
    """Of a plain file alone, whoever made it: a pipe would be waited for, a device may never end."""
    try:
        with strangers.opened(path.parent, path.name, links_into=[path.resolve().parent]) as (stream, _):
            return stream.read(MOST_BYTES + 1)
    except strangers.Refused as refused:
        raise ToyProblem(f"{path} cannot be read: {refused}; a toy is a text, as regard toy new writes one") from None


def toy_text(text: str, name: str, folder: str | None = None) -> Model:
    """The toy of a text. It may name a file of word vectors only if it is a file itself, and lies in a folder: a text
    may come from anybody, by a link to the page.

    >>> toy_text("[words]\\nfox = [0.8, 0.6]\\ndog = [0.1]", "mine.toml")
    Traceback (most recent call last):
    regard.toys.problem.ToyProblem: mine.toml:3:7: words.dog expects 2 numbers, as many as fox, got 1
    """
    text = text.replace("\r\n", "\n")
    if found := LONG_KEY.search(text):
        raise _at(text, found.start(), name, "a key of more than 16 parts; a toy's keys have at most three")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _unread(error, text, name) from None
    except RecursionError:
        raise _too_deep(text, _deep_place(text) or 0, name) from None
    except ValueError:  # a whole number of thousands of digits, which Python reads no longer
        found = LONG_NUMBER.search(text)
        told = f"a whole number of more than {MOST_DIGITS} digits; write a number that can be checked by hand"
        raise _at(text, found.start() if found else 0, name, told) from None
    if (place := _deep_place(text)) is not None:
        raise _too_deep(text, place, name)
    try:
        model = _built(data, name, folder)
    except ToyProblem as problem:
        raise located(_or_misplaced(problem), text, name) from None
    return replace(model, source=text) if isinstance(model, Begun) else model


def _at(text: str, offset: int, name: str, told: str) -> ToyProblem:
    line, column = line_and_column(text, offset)
    return ToyProblem(f"{name}:{line}:{column}: {told}")


def _too_deep(text: str, offset: int, name: str) -> ToyProblem:
    return _at(text, offset, name, "nested too deeply to be read; a matrix is a list of rows")


def _deep_place(text: str) -> int | None:
    """Where brackets stand in more brackets than any toy has."""
    depth = 0
    for found in BRACKET.finditer(text):
        depth += 1 if found[0] in "[{" else -1 if found[0] in "]}" else 0
        if depth > DEEPEST:
            return found.start()
    return None


def _or_misplaced(problem: ToyProblem) -> ToyProblem:
    """In TOML a line below [words] belongs to words: what is wrong with it may be only its place."""
    if len(problem.path) < 2 or problem.path[1] not in KEYS:
        return problem
    table, key = problem.path[:2]
    told = f"{problem}; if {key} is not meant as a word, move its line up, above [{table}]"
    return ToyProblem(told, problem.path, problem.of_key)


def _built(data: dict[str, Any], name: str, folder: str | None) -> Model:
    for key in data:
        if key not in KEYS:
            told = INSTEAD.get(key.lower()) or suggestion(key[:40], KEYS, len(KEYS))
            raise ToyProblem(f"unknown key {key[:40]!r}; {told}", (key,), of_key=True)
    if "words" not in data:
        raise ToyProblem("a toy needs words: a table [words] with lines such as fox = [0.8, 0.6]")
    if "vectors" in data and folder is None:
        told = "vectors names a file, which only a toy may do that is a file itself: regard open FILE"
        raise ToyProblem(told, ("vectors",), of_key=True)
    if isinstance(data.get("vectors"), str):  # beside the toy's file, unless it says where
        data["vectors"] = os.path.join(folder or "", data["vectors"])
    title = f"{Path(name).stem} (your own toy)"
    return toy(**{"title": title, **data}, name=name)


def _unread(error: tomllib.TOMLDecodeError, text: str, name: str) -> ToyProblem:
    found = POSITION.search(str(error))
    said = POSITION.sub("", str(error))[:200]
    said = said[:1].lower() + said[1:]
    lines = text.split("\n")
    line, column = (int(found[1]), int(found[2])) if found and found[1] else (len(lines), 1)
    if said.startswith(("cannot overwrite a value", "cannot mutate immutable namespace")):
        read = "\n".join([*lines[: line - 1], lines[line - 1][: column - 1]]) if found and found[1] else text
        return _twice(Places(read), name)
    return ToyProblem(f"{name}:{line}:{column}: this is not TOML: {said}")


def _twice(read: Places, name: str) -> ToyProblem:
    """The last key that was read is there already, or what it would be a part of is a value."""
    path, at = read.last
    before = next(path[:length] for length in range(len(path), 0, -1) if read.keys[path[:length]] < at)
    place, first = read.line_and_column(at), read.line_and_column(read.keys[before])
    told = "is given twice, first" if before == path else f"cannot be given beside {written(before)},"
    where = f"{name}:{place[0]}:{place[1]}"
    return ToyProblem(f"{where}: {written(path)} {told} in line {first[0]}; leave one of them out")
