"""Texts as numbers: whatever they come as, read once, never in memory as a whole."""

import io
import lzma
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from regard.training.vectors import numbering, reading
from regard.training.vectors.pairs import PairCounts
from regard.training.vectors.phrases import joined

TEXT = "The cat didn't sit.\nThe cat sat on the mat<|endoftext|>The dog sat\n\nThe dog ran"
LINES = ["the cat didn't sit", "the cat sat on the mat", "the dog sat", "the dog ran"]


def lines_of(text):
    """Back to words."""
    words = " ".join("\n" if i == numbering.END else text.words[i] for i in text.ids)
    return [line.strip() for line in words.split("\n") if line.strip()]


def numbered(paths, folder, least=1):
    return numbering.settle(numbering.number(reading.pieces(paths), folder), folder, least, "the text")


def test_the_same_numbers_from_a_file_a_folder_xz_and_standard_input(tmp_path, monkeypatch):
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "a.txt").write_text(TEXT)
    with lzma.open(tmp_path / "b.xz", "wt") as file:
        file.write(TEXT)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(TEXT.encode())))
    for path in (texts / "a.txt", texts, tmp_path / "b.xz", "-"):
        assert lines_of(numbered([path], tmp_path)) == LINES


def test_words_are_counted_and_rare_ones_left_out(tmp_path):
    (tmp_path / "a.txt").write_text(TEXT)
    text = numbered([tmp_path / "a.txt"], tmp_path, least=2)
    counted = Counter(" ".join(LINES).split())
    assert dict(zip(text.words, text.counts.tolist())) == {w: n for w, n in counted.items() if n >= 2}
    assert list(text.counts) == sorted(text.counts, reverse=True)
    assert lines_of(text) == ["the cat", "the cat sat the", "the dog sat", "the dog"]
    assert [file.name for file in tmp_path.iterdir() if file.name[0] == "."] == []


def test_pieces_are_cut_between_lines_and_between_words(monkeypatch):
    monkeypatch.setattr(reading, "LONGEST", 10)
    pieces = list(reading._whole_lines(["ab cd\nef", " gh ij kl mn", " op qr"]))
    assert [piece.split() for piece in pieces] == [["ab", "cd"], ["ef", "gh", "ij", "kl"], ["mn", "op", "qr"]]


@pytest.mark.parametrize("data", [b"\xff\xfe", b"abc\0def", "ä".encode()[:1]])
def test_what_is_no_text_is_refused(tmp_path, data):
    (tmp_path / "a.txt").write_bytes(data)
    with pytest.raises(ValueError, match="UTF-8"):
        list(reading.pieces([tmp_path / "a.txt"]))


def test_a_text_without_two_words_is_refused(tmp_path):
    (tmp_path / "a.txt").write_text("cat")
    with pytest.raises(ValueError, match="has 0 words that occur 5 times or more"):
        numbered([tmp_path / "a.txt"], tmp_path, least=5)


def test_phrases_become_words(tmp_path):
    (tmp_path / "a.txt").write_text("I love new york\nshe left new york\nnew york is far\nfar is near\n" * 10)
    first = numbering.number(reading.pieces([tmp_path / "a.txt"]), tmp_path)
    text = numbering.settle(joined(first, 3.5, 5, tmp_path), tmp_path, 1, "the text")
    # (30 − 5) · 140 / (30 · 30) = 3.9; the next, "she left", has (10 − 5) · 140 / (10 · 10) = 7
    assert "new_york" in text.words and "she_left" in text.words and "york" not in text.words
    assert lines_of(text)[2] == "new_york is far"


def counted(ids, window):
    """By definition."""
    found = Counter()
    for i, a in enumerate(ids):
        for distance in range(1, window + 1):
            if i >= distance and numbering.END not in ids[i - distance : i + 1]:
                found[tuple(sorted((int(a), int(ids[i - distance]))))] += 1 / distance
    return found


def test_pairs_are_the_same_however_little_is_in_memory(tmp_path: Path):
    random = np.random.default_rng(1)
    ids = random.integers(-1, 37, size=3001).astype(np.int32)
    wanted = counted(ids, 5)
    for part, room in ((2**20, 2**20), (1000, 2**20), (997, 50), (311, 1)):
        counts = PairCounts(37, tmp_path, part, room)
        counts.add_windows(ids, 5)
        assert len(counts.runs) == -(-len(ids) // part)
        found = [(divmod(int(k), 37), s) for keys, sums in counts.merged() for k, s in zip(keys, sums)]
        assert [key for key, _ in found] == sorted(wanted)
        assert all(abs(wanted[key] - s) < 1e-9 for key, s in found)
        assert not list(tmp_path.iterdir())
