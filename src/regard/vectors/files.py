"""Opening a file of word vectors, of whatever kind, and writing one: kinds are recognised by what a file holds."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO

from regard import strangers
from regard.suggestions import NotFound, suggestion
from regard.vectors.formats import binary, mapped, tensors, text
from regard.vectors.formats.rows import Rows
from regard.vectors.problem import Unreadable, Unwritable
from regard.vectors.wordvectors import WordVectors

LOOKED_AT = 2**16  # bytes in which a kind is recognised
Place = str | os.PathLike[str]


@dataclass(frozen=True)
class Form:
    """A kind of file: what it is, the ending of its name, and what writes it."""

    says: str
    ending: str
    write: Callable[..., None]
    ends_words_at_spaces: bool = False


FORMS = {
    "regard": Form("regard's own, mapped when it is opened", ".vectors", mapped.write),
    "safetensors": Form("safetensors", ".safetensors", tensors.write),
    "word2vec": Form("word2vec's text, which fastText's .vec is too", ".vec", text.write_counted, True),
    "binary": Form("word2vec's binary file", ".bin", binary.write, True),
    "glove": Form("GloVe's text", ".txt", text.write_uncounted, True),
}
# what people have instead of vectors: the first bytes, what it is, what to do
OTHERS = (
    (b"\x1f\x8b", "it is compressed (gzip)", "unpack it first: gunzip"),
    (b"\xfd7zXZ", "it is compressed (xz)", "unpack it first: unxz"),
    (b"BZh", "it is compressed (bzip2)", "unpack it first: bunzip2"),
    (b"PK\x03\x04", "it is a zip archive", "unpack it first: unzip"),
    (b"\xba\x16\x4f\x2f", "it is fastText's own model", "take the .vec file beside it"),
    (b"\x93NUMPY", "it is a NumPy array, without words", "write both as safetensors or word2vec text"),
    (
        b"\x80",
        "it is a pickle, such as gensim's own files, which can run any code when read",
        "save it with gensim's save_word2vec_format",
    ),
)


def open_vectors(path: Place) -> WordVectors:
    """The word vectors of a file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     WordVectors(["king", "queen"], [[1, 0], [3, 4]]).save(f"{folder}/two.vec")
    ...     Path(folder, "two.vec").read_text(), open_vectors(f"{folder}/two.vec")["queen"].tolist()
    ('2 2\\nking 1.0 0.0\\nqueen 3.0 4.0\\n', [3.0, 4.0])
    """
    with _opened(path) as (file, size, real):
        beginning = file.peek(LOOKED_AT)[:LOOKED_AT]
        if mapped.is_mapped(beginning):
            return mapped.read(file, size, name=os.fspath(path), title=real.name)
        if tensors.is_tensors(beginning, size):
            return tensors.read(real.parent, real.name, name=os.fspath(path), title=real.name)
        return rows_of(file, size).collected(name=os.fspath(path), title=real.name)


def convert(source: Place, target: Place, form: str | None = None, spaces: str | None = None) -> WordVectors:
    """Write a file in another format. Into regard's own, text and binary files go row by row, whatever their size."""
    if _form(target, form) is FORMS["regard"]:
        with _opened(source) as (file, size, _):
            beginning = file.peek(LOOKED_AT)[:LOOKED_AT]
            if not mapped.is_mapped(beginning) and not tensors.is_tensors(beginning, size):
                rows = rows_of(file, size)
                mapped.write_rows(target, rows.blocks(), rows.width)
                found = open_vectors(target)
                found.notes = rows.notes
                return found
    found = open_vectors(source)
    save(found, target, form, spaces)
    return found


def save(vectors: WordVectors, path: Place, form: str | None = None, spaces: str | None = None) -> None:
    chosen = _form(path, form)
    if chosen.ends_words_at_spaces:
        chosen.write(path, vectors, spaces)
    else:
        chosen.write(path, vectors)


def _form(path: Place, name: str | None) -> Form:
    if name is not None and name not in FORMS:
        raise NotFound(f"no format {name!r:.40}; {suggestion(name, FORMS)}")
    if name is not None:
        return FORMS[name]
    ending = Path(path).suffix.lower()
    return next((form for form in FORMS.values() if form.ending == ending), FORMS["regard"])


@contextmanager
def _opened(path: Place) -> Iterator[tuple[BufferedReader, int, Path]]:
    """A plain file and its size; whatever is wrong with it is told with its name."""
    real = Path(os.path.realpath(path))
    try:
        with strangers.opened(real.parent, real.name) as (file, size):
            yield file, size, real
    except Unwritable:
        raise
    except ValueError as error:
        raise Unreadable(f"{os.fspath(path)} cannot be read: {error}") from error


def rows_of(file: BinaryIO, size: int) -> Rows:
    """The rows of a text or binary file, by what stands at its beginning."""
    beginning = file.read(LOOKED_AT)
    file.seek(0)
    if not beginning:
        raise Unreadable("it is empty; a word and its numbers are expected on each line")
    for sign, what, instead in OTHERS:
        if beginning.startswith(sign):
            raise Unreadable(f"{what}; {instead}")
    first, _, rest = beginning.partition(b"\n")
    if header := text.header_of(first):
        return text.counted(file, size) if _is_text(rest, header[1]) else binary.counted(file, size)
    if width := text.width_of(_whole_line(file)):
        return text.uncounted(file, size, width)
    raise Unreadable(
        "its first line is not that of word vectors; expected are word2vec's text or binary format, GloVe's or "
        "fastText's text, safetensors, or a file that regard wrote"
    )


def _is_text(rest: bytes, width: int) -> bool:
    """Whether what follows a counting line is text: a word and numbers, or at least nothing but signs one can read."""
    line, end, _ = rest.partition(b"\n")
    numbers = line.split()[1:] if end else line.split()[1:-1]  # the last may be cut
    if numbers and text.width_of(b" ".join([b"-", *numbers])) >= min(width, len(numbers)):
        return True
    return not any(byte < 32 and byte not in b"\t\r\n" for byte in rest) and _decodes(rest)


def _decodes(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start >= len(data) - 3 and len(data) > 3  # the last character may be cut
    return True


def _whole_line(file: BinaryIO) -> bytes:
    line = file.readline(text.MOST_LINE)
    file.seek(0)
    return line
