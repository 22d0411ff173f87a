"""Published questions that word vectors are measured by: analogies by category, and pairs of words that people rated.

gensim's wheel brings three sets; they are read from where it is installed, and gensim itself is never imported.
"""

import os
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from regard import strangers
from regard.vectors.problem import Unreadable

MOST_BYTES = 2**26
BROUGHT = {
    "google": ("questions-words.txt", "Google's analogies"),
    "wordsim353": ("wordsim353.tsv", "WordSim-353"),
    "simlex999": ("simlex999.txt", "SimLex-999"),
}
MISSING = (
    "{name} is not here: pip install gensim brings it, or name a file: analogies as lines of four words under lines "
    "': category', ratings as lines of two words and a number"
)


@dataclass(frozen=True)
class Analogies:
    """Questions a : b :: c : d, under the names of their categories."""

    name: str
    categories: dict[str, list[tuple[str, str, str, str]]]


@dataclass(frozen=True)
class Ratings:
    """Pairs of words, and how alike people found them."""

    name: str
    pairs: list[tuple[str, str, float]]


def published(name: str | os.PathLike[str]) -> Analogies | Ratings:
    """A set by its name (google, wordsim353, simlex999), or from a file."""
    file, title = BROUGHT.get(str(name), (None, Path(name).name))
    path = Path(name) if file is None else _brought(file)
    real = Path(os.path.realpath(path))
    try:
        with strangers.opened(real.parent, real.name, MOST_BYTES) as (held, _):
            lines = held.read(MOST_BYTES).decode("utf-8-sig").splitlines()
    except FileNotFoundError:
        raise Unreadable(MISSING.format(name=title)) from None
    except (UnicodeDecodeError, strangers.Refused) as error:
        raise Unreadable(f"{path} cannot be read: {error}") from None
    said = [(at, line) for at, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")]
    return _analogies(said, title) if any(line.startswith(":") for _, line in said) else _ratings(said, title)


def brought() -> list[str]:
    """The names of the sets that are here."""
    return [name for name, (file, _) in BROUGHT.items() if _brought(file).is_file()]


def _brought(file: str) -> Path:
    found = find_spec("gensim")
    folders = list(found.submodule_search_locations or ()) if found else []
    return Path(folders[0] if folders else "gensim", "test/test_data", file)


def _analogies(lines: list[tuple[int, str]], name: str) -> Analogies:
    categories: dict[str, list[tuple[str, str, str, str]]] = {}
    current: list[tuple[str, str, str, str]] = categories.setdefault("", [])
    for at, line in lines:
        if line.startswith(":"):
            current = categories.setdefault(line[1:].strip(), [])
            continue
        words = line.split()
        if len(words) != 4:
            raise Unreadable(f"{name}, line {at:,}: an analogy expects four words, got {len(words)}")
        a, b, c, d = words
        current.append((a, b, c, d))
    return Analogies(name, {category: asked for category, asked in categories.items() if asked})


def _ratings(lines: list[tuple[int, str]], name: str) -> Ratings:
    pairs: list[tuple[str, str, float]] = []
    for at, line in lines:
        try:
            one, other, rated = line.split("\t") if "\t" in line else line.split()
            pairs.append((one.strip(), other.strip(), float(rated)))
        except ValueError:
            raise Unreadable(f"{name}, line {at:,}: expects two words and a number, got {line[:60]!r}") from None
    return Ratings(name, pairs)
