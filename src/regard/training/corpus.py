"""Texts become tokens: files and folders → documents → numbers on disk, some of them held out."""

import hashlib
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from regard import strangers
from regard.replacing import replacing
from regard.text.bpe import BPE
from regard.text.tokenizer import END
from regard.training.data import Tokens
from regard.training.unpacking import unpacked

ENDINGS = (".txt", ".md", ".xz")
HELD_OUT = 0.02  # the share that is never learned from
MOST_HELD_OUT = 0.1  # documents that would take it beyond this are learned from
LEARN_FROM = 1_000_000  # characters; a vocabulary hardly changes with more
MOST_CHARACTERS = 2**32
TOGETHER = 256  # documents cut into tokens at a time


@dataclass(frozen=True)
class Corpus:
    """The documents of some files, in order."""

    name: str
    documents: tuple[str, ...]
    notes: tuple[str, ...] = field(default=(), kw_only=True)  # what was left out, and why

    @property
    def fingerprint(self) -> str:
        """The same for the same documents, wherever they lie; a resumed run knows its text by it."""
        digest = hashlib.sha256()
        for part in self._parts():
            digest.update(part.encode() + b"\0")  # which occurs in no text
        return digest.hexdigest()

    def _parts(self) -> Iterator[str]:
        yield from self.documents

    @property
    def characters(self) -> int:
        return sum(map(len, self.documents))

    def beginning(self) -> Iterator[str]:
        """As much as a vocabulary is learned from, a little of every part."""
        step = max(1, self.characters // LEARN_FROM)
        left = LEARN_FROM
        for document in self.documents[::step]:
            yield document[:left]
            left -= len(document)
            if left <= 0:
                return


def read(paths: Sequence[Path | str]) -> Corpus:
    """Every document of the files and folders; an error names the file and what to do."""
    files = [file for path in paths for file in files_of(Path(path))]
    documents = tuple(d for file in files for d in _documents(text_of(file)))
    if not documents:
        raise ValueError(f"{_named(paths)} is empty; give a file with some text to learn from")
    return Corpus(_named(paths), documents)


def _named(paths: Sequence[Path | str]) -> str:
    return ", ".join(str(path) for path in paths)


def files_of(path: Path) -> list[Path]:
    """The file itself, or the texts of a folder in order."""
    if not path.exists():
        raise ValueError(f"there is no {path}; give a text file (.txt, .md, .xz) or a folder of them")
    if not path.is_dir():
        return [path]
    found = sorted(p for p in path.rglob("*") if p.suffix in ENDINGS and p.is_file() and not _is_hidden(p, path))
    if not found:
        raise ValueError(f"the folder {path} holds no text; files that end in .txt, .md or .xz are read")
    for file in found:
        check_inside(file, path)
    return found


def check_inside(file: Path, folder: Path) -> None:
    """A folder may come from elsewhere: what it links to outside would be learned, and told by the model."""
    if not file.resolve().is_relative_to(folder.resolve()):
        raise ValueError(
            f"{file} is a link that leads out of {folder}; remove it, or name what it leads to: {file.resolve()}"
        )


def _is_hidden(file: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in file.relative_to(folder).parts)


def text_of(file: Path) -> str:
    """What a file says; an error names the byte that is no text."""
    data = _bytes_of(file)
    if b"\0" in data:
        raise ValueError(f"{file} is not text: byte {data.index(0):,} is 0; give a UTF-8 text file")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{file} is not UTF-8 text: byte {error.start:,} is {data[error.start]:#04x}; convert it to UTF-8 first"
        ) from None


def _bytes_of(file: Path) -> bytes:
    if file.is_fifo():  # regard train <(some command): whoever names a pipe means to wait for it
        with file.open("rb") as pipe:
            return _bounded(pipe.read(MOST_CHARACTERS + 1), file)
    # of whoever named the text, a link is taken to where it leads; device and folder are refused
    real = file.resolve()
    with strangers.opened(real.parent, real.name) as (opened, size):
        if file.suffix == ".xz":
            return unpacked(opened, str(file), size, MOST_CHARACTERS)
        return _bounded(opened.read(MOST_CHARACTERS + 1), file)


def _bounded(data: bytes, file: Path) -> bytes:
    if len(data) > MOST_CHARACTERS:
        raise ValueError(f"{file} has more than {MOST_CHARACTERS:,} bytes; split it")
    return data


def _documents(text: str) -> list[str]:
    return [document for part in text.split(END) if (document := part.strip())]


# tokens


@dataclass(frozen=True, eq=False)
class Split:
    """The tokens to learn from and the ones held out, on disk beside the run."""

    learned: Tokens
    held_out: Tokens
    digest: str  # of both, so that a run that goes on knows that they are the same


def tokens_of(corpus: Corpus, bpe: BPE, folder: Path, window: int) -> Split:
    """Cut the documents into tokens, hold some out, and write both to the folder."""
    rows = [np.array([*ids, bpe.end], dtype=_kind(bpe)) for ids in encoded(corpus.documents, bpe)]
    learned, held_out = split(rows, window)
    folder.mkdir(parents=True, exist_ok=True)
    for name, ids in (("learned", learned), ("held_out", held_out)):
        with replacing(folder / f"{name}.npy") as file:
            np.save(file, ids, allow_pickle=False)
    return opened(folder)


def opened(folder: Path) -> Split:
    """What `tokens_of` wrote. The digest is of the bytes as they are now."""
    files = [folder / f"{name}.npy" for name in ("learned", "held_out")]
    digest = hashlib.sha256()
    for file in files:
        with strangers.opened(folder, file.name) as (f, _):
            digest.update(hashlib.file_digest(f, "sha256").digest())
    learned, held_out = (Tokens.open(file) for file in files)
    return Split(learned, held_out, digest.hexdigest())


def _kind(bpe: BPE) -> type[np.unsignedinteger]:
    return np.uint16 if bpe.size <= 2**16 else np.uint32


def encoded(documents: Sequence[str], bpe: BPE) -> Iterable[list[int]]:
    """The tokens of each document, many documents at a time."""
    for start in range(0, len(documents), TOGETHER):
        yield from bpe.encode_many(list(documents[start : start + TOGETHER]))


def split(rows: Sequence[np.ndarray], window: int) -> tuple[np.ndarray, np.ndarray]:
    """Whole documents held out, the same for the same text; with few or large ones, the end of the last.

    >>> rows = [np.arange(9) + 10 * i for i in range(100)]
    >>> learned, held_out = split(rows, window=16)
    >>> len(learned), len(held_out)
    (882, 18)
    """
    total, least = sum(map(len, rows)), window + 1
    if total < 2 * least:
        raise ValueError(
            f"the text has {total:,} tokens, and a window of {window} needs at least {2 * least:,}, half of them "
            f"held out; give more text, or set a smaller window"
        )
    wanted, most = max(least, HELD_OUT * total), max(least, MOST_HELD_OUT * total)
    order = list(range(len(rows)))
    random.Random(len(rows)).shuffle(order)
    chosen: set[int] = set()
    size = 0
    for i in order:
        if size >= wanted:
            break
        if size + len(rows[i]) <= most:
            chosen.add(i)
            size += len(rows[i])
    if size < wanted or total - size < least:
        row = np.concatenate(rows)
        here = total - round(wanted)
        return row[:here], row[here:]
    return (
        np.concatenate([row for i, row in enumerate(rows) if i not in chosen]),
        np.concatenate([rows[i] for i in sorted(chosen)]),
    )
