"""Texts with their classes: a folder for each class, or a table with a column of texts and one of classes."""

import csv
import io
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from regard.training.corpus import Corpus, check_inside, read, text_of

TABLES = (".csv", ".tsv")
TEXT = ("text", "sentence", "review", "content", "document", "message")
CLASS = ("label", "class", "category", "sentiment", "target")
MOST_CLASSES = 1000
LEAST = 2  # texts of each class: one to learn from, one held out


@dataclass(frozen=True)
class Labelled(Corpus):
    """Documents, and which of the classes each belongs to."""

    labels: tuple[int, ...]
    classes: tuple[str, ...]

    def _parts(self) -> Iterator[str]:
        for document, label in zip(self.documents, self.labels, strict=True):
            yield document
            yield self.classes[label]


def read_labelled(paths: Sequence[Path | str]) -> Labelled:
    """Every text with its class; an error names what is missing and what to do."""
    if len(paths) != 1:
        raise ValueError(f"classes are learned from one table or one folder, got {len(paths)} paths")
    path = Path(paths[0])
    if not path.exists():
        raise ValueError(f"there is no {path}; give a .csv table, or a folder with a folder for each class")
    pairs, notes = (_from_folders(path), ()) if path.is_dir() else _from_table(path)
    counts = Counter(label for _, label in pairs)
    if not 2 <= len(counts) <= MOST_CLASSES:
        raise ValueError(f"{path} has {len(counts)} classes; there must be 2 to {MOST_CLASSES}")
    if few := sorted(label for label, count in counts.items() if count < LEAST):
        raise ValueError(f"the class {few[0]!r} has one text only; one to learn from and one to hold out are needed")
    classes = tuple(sorted(counts))
    numbers = {label: number for number, label in enumerate(classes)}
    return Labelled(
        str(path), tuple(text for text, _ in pairs), tuple(numbers[label] for _, label in pairs), classes, notes=notes
    )


def _from_folders(folder: Path) -> list[tuple[str, str]]:
    classes = sorted(p for p in folder.iterdir() if p.is_dir() and not p.name.startswith("."))
    if not classes:
        raise ValueError(f"the folder {folder} holds no folders; give each class a folder with its texts")
    for place in classes:
        check_inside(place, folder)
    return [(document, place.name) for place in classes for document in read([place]).documents]


def _from_table(path: Path) -> tuple[list[tuple[str, str]], tuple[str, ...]]:
    """The rows that have a text and a class, and a line about the others."""
    if path.suffix not in TABLES:
        raise ValueError(f"{path} is no table; classes are learned from a .csv or .tsv file, or from a folder for each")
    text = text_of(path)
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), _delimiter(path, text)) if row]
    except csv.Error as error:
        raise ValueError(f"{path} is not a table that can be read: {error}") from None
    if len(rows) < 2:
        raise ValueError(f"{path} has no rows under its header; give a table with a column text and a column label")
    at_text, at_class = _columns(path, rows[0], rows[1:])
    most = max(at_text, at_class)
    for number, row in enumerate(rows[1:], 2):
        if len(row) <= most and any(row):
            raise ValueError(f"{path}: row {number} has {len(row)} columns, the header has {len(rows[0])}")
    pairs = [(row[at_text].strip(), row[at_class].strip()) if any(row) else ("", "") for row in rows[1:]]
    return [(text, label) for text, label in pairs if text and label], _left_out(path, pairs)


def _left_out(path: Path, pairs: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """
    >>> _left_out(Path("a.csv"), [("good", "yes"), ("", "no"), ("", ""), ("fine", "")])
    ('3 of the 4 rows of a.csv are left out: 1 without a text, 1 without a class, 1 without either',)
    """
    missing = Counter((bool(text), bool(label)) for text, label in pairs if not (text and label))
    if not missing:
        return ()
    words = {(False, True): "a text", (True, False): "a class", (False, False): "either"}
    told = ", ".join(f"{missing[kind]:,} without {what}" for kind, what in words.items() if missing[kind])
    return (f"{missing.total():,} of the {len(pairs):,} rows of {path} are left out: {told}",)


def _delimiter(path: Path, text: str) -> type[csv.Dialect]:
    header = text.split("\n", 1)[0]
    sign = "\t" if path.suffix == ".tsv" else ";" if header.count(";") > header.count(",") else ","
    return type("Table", (csv.excel,), {"delimiter": sign, "strict": True})


def _columns(path: Path, header: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Which column holds the texts and which the classes: by name, or of two the one that repeats itself more."""
    names = [name.strip().lower() for name in header]
    by_name = [next((names.index(n) for n in known if n in names), None) for known in (TEXT, CLASS)]
    if by_name[0] is not None and by_name[1] is not None:
        return by_name[0], by_name[1]
    if len(names) == 2:
        kinds = [len({row[i] for row in rows if len(row) > i}) for i in range(2)]
        if kinds[0] != kinds[1]:
            return (0, 1) if kinds[0] > kinds[1] else (1, 0)
    raise ValueError(f"{path} has the columns {', '.join(header)}; call the two that are meant text and label")
