"""Texts become tokens: what is read, what is held out, and what is refused in one line."""

import itertools
import lzma

import numpy as np
import pytest

from regard.text.bpe import BPE
from regard.text.tokenizer import END
from regard.training import corpus
from regard.training.data import Mixture, Tokens


@pytest.fixture(scope="module")
def bpe(text_of):
    return BPE.learned([text_of()], 300)


def test_folders_files_and_xz_are_read_in_order_and_documents_end_at_the_sign(tmp_path):
    (tmp_path / "b.md").write_text(f"two {END}\n three{END}")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner/c.txt.xz").write_bytes(lzma.compress("vier ä".encode()))
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbfone\n")
    (tmp_path / "skip.py").write_text("no")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden/d.txt").write_text("no")
    assert corpus.read([tmp_path]).documents == ("one", "two", "three", "vier ä")
    assert corpus.read([tmp_path / "b.md", tmp_path / "a.txt"]).documents == ("two", "three", "one")


def test_every_token_is_learned_from_or_held_out_and_documents_end(tmp_path, bpe, text_of):
    documents = tuple(text_of(10, seed) for seed in range(100))
    split = corpus.tokens_of(corpus.Corpus("x", documents), bpe, tmp_path, window=16)
    both = [bytes(bpe.decode(part.ids), "utf-8").decode().split(END) for part in (split.learned, split.held_out)]
    assert [len(part) - 1 for part in both] == [len(documents) - len(both[1]) + 1, len(both[1]) - 1]
    assert sorted(d.strip() for part in both for d in part[:-1]) == sorted(documents)  # whole documents
    assert 0.02 <= len(split.held_out) / (len(split.learned) + len(split.held_out)) <= 0.05
    assert isinstance(split.learned.ids, np.memmap) and split.learned.ids.dtype == np.uint16
    again = corpus.tokens_of(corpus.Corpus("x", documents), bpe, tmp_path / "again", window=16)
    assert again.digest == split.digest


def test_one_document_holds_out_its_end(tmp_path, bpe, text_of):
    split = corpus.tokens_of(corpus.Corpus("x", (text_of(2000),)), bpe, tmp_path, window=16)
    whole = bpe.encode(text_of(2000))
    assert [*split.learned.ids, *split.held_out.ids] == [*whole, bpe.end]
    assert len(split.held_out) == round(0.02 * (len(whole) + 1))


@pytest.mark.parametrize(
    "name, data, said",
    [
        ("a.txt", b"", "a.txt is empty"),
        ("a.txt", b" \n\t", "a.txt is empty"),
        ("a.txt", b"abc\0def", "is not text: byte 3 is 0"),
        ("a.txt", b"abc\xff", "is not UTF-8 text: byte 3 is 0xff"),
        ("a.xz", b"plain", "is not an .xz file"),
        ("a.xz", lzma.compress(b"x" * 99)[:-9], "is not an .xz file"),
    ],
)
def test_what_is_no_text_is_refused(tmp_path, name, data, said):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ValueError, match=said) as caught:
        corpus.read([tmp_path / name])
    assert "\n" not in str(caught.value)


def test_missing_files_and_folders_without_text(tmp_path):
    with pytest.raises(ValueError, match="there is no"):
        corpus.read([tmp_path / "absent.txt"])
    with pytest.raises(ValueError, match="holds no text"):
        corpus.read([tmp_path])


def test_batches_of_consecutive_updates_are_different_windows():
    """A counter that is only one further would give three quarters of the same windows again."""
    texts = Mixture({"a": Tokens(np.arange(100_000))}, {"a": 1.0})
    starts = [set(texts.batch(16, 8, seed=0, draw=draw)[0][:, 0].tolist()) for draw in range(20)]
    assert sum(len(a & b) for a, b in itertools.pairwise(starts)) <= 1
