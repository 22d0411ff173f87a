"""Files of word vectors: every kind is read back as it was written, and what is odd or broken about a file is told."""

import gzip
import os
import pickle
import struct

import numpy as np
import pytest
import safetensors.numpy

from regard.suggestions import NotFound
from regard.vectors.files import FORMS, convert, open_vectors
from regard.vectors.formats import binary
from regard.vectors.problem import Unreadable, Unwritable
from regard.vectors.wordvectors import WordVectors

WORDS = ["king", "queen", "Löwe", "東京", "well-known", "3.5", "-", "🙂", "a" * 300, "nul"]


@pytest.fixture(scope="module")
def vectors():
    table = np.random.default_rng(1).normal(size=(len(WORDS), 7)).astype(np.float32)
    table[-1] = 0
    table[0, :4] = 1e-38, -3e38, 0.1, 1 / 3
    return WordVectors(WORDS, table, counts=range(len(WORDS)))


def same(found, vectors):
    return list(found.words) == list(vectors.words) and np.array_equal(found.vectors, vectors.vectors)


@pytest.mark.parametrize("form", FORMS)
def test_every_format_comes_back_as_it_was(tmp_path, vectors, form):
    vectors.save(tmp_path / "file", form)
    found = open_vectors(tmp_path / "file")
    assert same(found, vectors)
    assert [found.position(word) for word in WORDS] == list(range(len(WORDS)))
    assert "Queen" not in found and "kinga" not in found
    kept = None if form in ("word2vec", "binary", "glove") else list(range(len(WORDS)))
    assert (None if found.counts is None else found.counts.tolist()) == kept


@pytest.mark.parametrize("source", FORMS)
@pytest.mark.parametrize("target", FORMS)
def test_every_format_becomes_every_other(tmp_path, vectors, source, target):
    vectors.save(tmp_path / "source", source)
    convert(tmp_path / "source", tmp_path / "target", target)
    assert same(open_vectors(tmp_path / "target"), vectors)


def test_the_ending_of_a_name_says_the_format(tmp_path, vectors):
    for name, begins in {
        "a.vec": b"10 7\nking ",
        "a.txt": b"king ",
        "a.bin": b"10 7\nking ",
        "a.vectors": b"regard vectors",
        "a": b"regard vectors",
    }.items():
        vectors.save(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(begins)
    vectors.save(tmp_path / "a.safetensors")
    held = safetensors.numpy.load_file(tmp_path / "a.safetensors")
    assert np.array_equal(held["vectors"], vectors.vectors) and bytes(held["words"]).decode().split("\n") == WORDS
    with pytest.raises(NotFound, match="no format 'golve'; did you mean glove"):
        vectors.save(tmp_path / "b", "golve")


def test_a_mapped_file_stays_where_it_is(tmp_path, vectors):
    vectors.save(tmp_path / "a.vectors")
    found = open_vectors(tmp_path / "a.vectors")
    base = found.vectors
    while isinstance(base, np.ndarray):
        base = base.base
    assert type(base).__name__ in ("mmap", "memoryview"), "the table is the file itself"
    assert not isinstance(found.words, tuple | list)
    assert found.near("king", 3).words == vectors.near("king", 3).words


def test_a_safetensors_file_in_half_precision(tmp_path):
    table = np.array([[1.5, 2], [0.25, -3]], np.float16)
    words = np.frombuffer(b"a\nb", np.uint8)
    safetensors.numpy.save_file({"vectors": table, "words": words}, tmp_path / "half.safetensors")
    assert open_vectors(tmp_path / "half.safetensors")["b"].tolist() == [0.25, -3]


def row(word, *numbers):
    return word + b" " + np.array(numbers, "<f4").tobytes()


ODD = {
    "text with spaces at the ends": b"2 2 \na 1 2 \nb 3 4 \n",
    "text with tabs and Windows' line ends": b"2\t2\r\na\t1\t2\r\nb\t3\t4\r\n",
    "text without a last line end": b"2 2\na 1 2\nb 3 4",
    "text with empty lines at the end": b"2 2\na 1 2\nb 3 4\n\n\n",
    "GloVe's": b"a 1 2\nb 3 4\n",
    "GloVe's with exponents": b"a 1e0 2E+0\nb 3. 4.00\n",
    "binary": b"2 2\n" + row(b"a", 1, 2) + row(b"b", 3, 4),
    "binary with line ends": b"2 2\n" + row(b"a", 1, 2) + b"\n" + row(b"b", 3, 4) + b"\n",
    "binary with spaces": b"2 2\n" + row(b"a", 1, 2) + b" " + row(b"b", 3, 4) + b" ",
    "a repeated word, text": b"3 2\na 1 2\nb 3 4\na 5 6\n",
    "a repeated word, binary": b"3 2\n" + row(b"a", 1, 2) + row(b"b", 3, 4) + row(b"a", 5, 6),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_files_of_others(tmp_path, name):
    (tmp_path / "odd").write_bytes(ODD[name])
    found = open_vectors(tmp_path / "odd")
    assert list(found.words) == ["a", "b"] and found.vectors.tolist() == [[1, 2], [3, 4]]
    assert bool(found.notes) == ("repeated" in name)
    mapped = convert(tmp_path / "odd", tmp_path / "ours.vectors")
    assert same(mapped, found) and mapped.notes == found.notes


@pytest.mark.parametrize("between", [b"", b"\n"])
def test_spaces_inside_words(tmp_path, between):
    table = np.random.default_rng(2).normal(size=(4, 5)).astype("<f4")
    words = ["ice cream", "a b c", "plain", "at the end"]
    lines = [f"{word} {' '.join(map(repr, numbers))}\n" for word, numbers in zip(words, table.tolist())]
    for name, data in {
        "binary": b"4 5\n" + b"".join(w.encode() + b" " + v.tobytes() + between for w, v in zip(words, table)),
        "word2vec": f"4 5\n{''.join(lines)}".encode(),
        "glove": "".join([lines[2], *lines[:2], lines[3]]).encode(),
    }.items():
        (tmp_path / name).write_bytes(data)
        found = open_vectors(tmp_path / name)
        assert set(found.words) == set(words), name
        assert all(np.array_equal(found[word], numbers) for word, numbers in zip(words, table))


@pytest.mark.parametrize("form", ["word2vec", "binary", "glove"])
def test_words_with_spaces_are_not_written_where_a_space_ends_a_word(tmp_path, form):
    vectors = WordVectors(["ice cream", "b"], np.eye(2))
    with pytest.raises(Unwritable, match=r"'ice cream' has a space in it.*--spaces _"):
        vectors.save(tmp_path / "file", form)
    assert not os.listdir(tmp_path)
    vectors.save(tmp_path / "file", form, spaces="_")
    assert "ice_cream" in open_vectors(tmp_path / "file")


def test_a_word_that_is_not_utf8_is_read_and_told(tmp_path):
    (tmp_path / "latin").write_bytes(b"2 2\nL\xf6we 1 2\nb 3 4\n")
    found = open_vectors(tmp_path / "latin")
    assert list(found.words) == ["L�we", "b"] and "1 words are not UTF-8" in found.notes[0]


def test_binary_rows_across_the_ends_of_chunks(tmp_path, monkeypatch):
    table = np.random.default_rng(3).normal(size=(3001, 3)).astype(np.float32)
    vectors = WordVectors([f"w{i}" for i in range(3001)], table)
    vectors.save(tmp_path / "a.bin")
    monkeypatch.setattr(binary, "CHUNK", 64)
    assert same(open_vectors(tmp_path / "a.bin"), vectors)
    size = (tmp_path / "a.bin").stat().st_size
    with (tmp_path / "a.bin").open("ab") as file:
        file.write(b"more")
    with pytest.raises(Unreadable, match=f"goes on after them, at byte {size:,}"):
        open_vectors(tmp_path / "a.bin")


def held_tensors(**tensors):
    return safetensors.numpy.save(tensors)


BROKEN = {
    "nothing": (b"", "it is empty; a word and its numbers are expected"),
    "a page": (b"# Title\n\nwords\n", "its first line is not that of word vectors; expected are word2vec's"),
    "gzip": (gzip.compress(b"2 2\na 1 2\n"), "compressed \\(gzip\\); unpack it first: gunzip"),
    "zip": (b"PK\x03\x04....", "zip archive; unpack"),
    "pickle": (pickle.dumps({}), "pickle.*save_word2vec_format"),
    "fastText's model": (struct.pack("<ii", 793712314, 12), "fastText's own model; take the .vec"),
    "NumPy": (b"\x93NUMPY\x01\x00", "without words"),
    "a lie about words": (b"999999999999 300\na 1 2\n", "take at least .* bytes, and the file has"),
    "a lie about numbers": (b"1 999999999\na 1 2\n", "says 999,999,999 numbers per word"),
    "no numbers": (b"1 0\na\n", "says 0 numbers per word"),
    "fewer words, text": (b"3 2\na 1 2\nb 3 4\n" + b" " * 9, "says 3 words, and it ends after 2"),
    "more words, text": (b"1 2\na 1 2\nb 3 4\n", "says 1 words, and it goes on after them, on line 3"),
    "a short line": (b"2 2\na 1 2\nb 3\n", "line 3 expects a word and 2 numbers, got 1 parts"),
    "a long line": (b"2 2\na 1 2\nb 3 4 5\n", "line 3 expects a word and 2 numbers, got more numbers"),
    "no number": (b"2 2\na 1 2\nb 3 x\n", "line 3 expects 2 numbers after its word; number 2 is none"),
    "a short line, GloVe": (b"a 1 2\nb 3\n", "line 2 expects a word and 2 numbers"),
    "lines that hundreds of gigabytes would be for": (
        b"a" + b" 0" * 2**16 + b"\n" + b"b\n" * 2**20,
        "line 2 expects a word and 65,536 numbers",
    ),
    "NaN": (b"2 2\na 1 2\nb nan 4\n", "the vector of 'b' holds NaN"),
    "infinite": (b"2 2\n" + row(b"a", 1, np.inf) + row(b"b", 3, 4), "the vector of 'a' holds NaN, infinite"),
    "too large": (b"1 2\na 1 1e39\n", "the vector of 'a' holds NaN, infinite or too large"),
    "cut short, binary": (b"2 2\n" + row(b"aaaa", 1, 2) + row(b"b", 3, 4)[:-3], "ends within word 2"),
    "fewer words, binary": (b"3 2\n" + row(b"a", 1, 2) + row(b"b", 3, 4) + b"\n" * 20, "ends within word 3"),
    "more words, binary": (b"1 2\n" + row(b"a", 1, 2) + row(b"b", 3, 4), "goes on after them, at byte 14"),
    "no space, binary": (b"1 2\n" + b"\x01" * 9000, "has no space after it within"),
    "an endless line": (b"a 1 2\n" + b"b" * 2**22, "line 2 has more than"),
    "tensors of something else": (held_tensors(weight=np.ones((2, 2))), "holds weight, and word vectors need vectors"),
    "too few words": (
        held_tensors(vectors=np.ones((2, 2)), words=np.frombuffer(b"a", np.uint8)),
        "2 rows, but there are 1 words",
    ),
    "words that are numbers": (held_tensors(vectors=np.ones((2, 2)), words=np.ones(3)), "a tensor of U8 and 1 axes"),
    "counts of another length": (
        held_tensors(vectors=np.ones((2, 2)), words=np.frombuffer(b"a\nb", np.uint8), counts=np.array([1], np.int64)),
        "2 rows, but there are 1 counts",
    ),
    "tensors with NaN": (
        held_tensors(vectors=np.full((1, 2), np.nan), words=np.frombuffer(b"a", np.uint8)),
        "holds NaN or infinite",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_broken_is_told(tmp_path, name):
    data, said = BROKEN[name]
    (tmp_path / "broken").write_bytes(data)
    with pytest.raises(Unreadable, match=f"broken cannot be read: .*{said}"):
        open_vectors(tmp_path / "broken")


@pytest.mark.parametrize(
    "change, said",
    [
        (lambda data: data[:40], "a header of 64 bytes was expected"),
        (lambda data: data[:-1], "it was cut short or something was added"),
        (lambda data: data + b"x", "it was cut short or something was added"),
        (lambda data: data[:16] + b"\2" + data[17:], "of version 2; this regard reads version 1"),
        (lambda data: data[:24] + b"\xff" + data[25:], "its header is damaged"),
    ],
)
def test_a_mapped_file_that_is_not_whole(tmp_path, vectors, change, said):
    vectors.save(tmp_path / "a.vectors")
    (tmp_path / "b.vectors").write_bytes(change((tmp_path / "a.vectors").read_bytes()))
    with pytest.raises(Unreadable, match=said):
        open_vectors(tmp_path / "b.vectors")


def test_only_plain_files_are_opened(tmp_path, vectors):
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "."):
        with pytest.raises(Unreadable, match="is not a plain file"):
            open_vectors(tmp_path / name)
    vectors.save(tmp_path / "a.vectors")
    os.symlink(tmp_path / "a.vectors", tmp_path / "link")
    assert same(open_vectors(tmp_path / "link"), vectors), "a link that a person names is followed"
    with pytest.raises(FileNotFoundError):
        open_vectors(tmp_path / "missing")


def fuzzed(data, seed):
    """Cut, repeated, exchanged or overwritten somewhere."""
    rng = np.random.default_rng(seed)
    bytes_ = bytearray(data)
    kind = seed % 5
    at, other = sorted(rng.integers(0, len(data), 2).tolist())
    if kind == 0:
        return bytes(bytes_[:at])
    if kind == 1:
        return bytes(bytes_[:at] + bytes_[other:])
    if kind == 2:
        return bytes(bytes_[:other] + bytes_[at:])
    if kind == 3:
        for place in rng.integers(0, len(data), 1 + seed % 7).tolist():
            bytes_[place] = int(rng.integers(256))
        return bytes(bytes_)
    bytes_[at : at + 8] = rng.bytes(8)
    return bytes(bytes_[: len(data)])


@pytest.mark.parametrize("form", FORMS)
def test_sixty_damaged_files_of_each_kind(tmp_path, vectors, form):
    """Each is read or refused in words; none hangs, and nothing else is raised by what is then asked of it."""
    vectors.save(tmp_path / "whole", form)
    data = (tmp_path / "whole").read_bytes()
    refused = 0
    for seed in range(60):
        path = tmp_path / f"{seed}"
        path.write_bytes(fuzzed(data, seed))
        try:
            found = open_vectors(path)
            found.near(next(iter(found.words)), 2)
            assert found.map2d().places.shape == (len(found), 2) and "king" in [*found.words, "king"]
        except (Unreadable, NotFound):
            refused += 1
        except StopIteration:
            assert len(found) == 0
    assert refused > 10, "most damage is found"
