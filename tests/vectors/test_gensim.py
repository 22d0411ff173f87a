"""Files go to gensim and come back with the same neighbours; gensim's own files are read as gensim reads them."""

from pathlib import Path

import numpy as np
import pytest

from regard.vectors.files import open_vectors
from regard.vectors.problem import Unreadable
from regard.vectors.wordvectors import WordVectors

keyed = pytest.importorskip("gensim.models.keyedvectors", reason="needs gensim (SKIPPED.md)")

WORDS = [f"w{i}" for i in range(199)] + ["Löwe", "東京", "3.5", "well-known"]


@pytest.fixture(scope="module")
def table():
    return np.random.default_rng(0).normal(size=(len(WORDS), 23)).astype(np.float32)


@pytest.fixture(scope="module")
def data():
    import gensim

    return Path(gensim.__file__).parent / "test/test_data"


def loaded(path, form, tmp_path):
    if form == "glove":  # reading it without a header, gensim leaves the file open
        text = path.read_bytes()
        rows, width = text.count(b"\n"), len(text.partition(b"\n")[0].split()) - 1
        path = tmp_path / "counted"
        path.write_bytes(f"{rows} {width}\n".encode() + text)
    return keyed.KeyedVectors.load_word2vec_format(path, binary=form == "binary")


def neighbours_agree(ours, theirs, words):
    for word in words:
        expected = theirs.most_similar(word, topn=7)
        found = list(ours.near(word, 7))
        assert [w for w, _ in found] == [w for w, _ in expected]
        assert [c for _, c in found] == pytest.approx([c for _, c in expected], abs=1e-5)


@pytest.mark.parametrize("form", ["word2vec", "binary", "glove"])
def test_what_regard_writes_gensim_reads(tmp_path, table, form):
    ours = WordVectors(WORDS, table)
    ours.save(tmp_path / "file", form)
    theirs = loaded(tmp_path / "file", form, tmp_path)
    assert theirs.index_to_key == WORDS and np.array_equal(theirs.vectors, table)
    neighbours_agree(ours, theirs, WORDS)


@pytest.mark.parametrize("form", ["word2vec", "binary", "glove"])
def test_what_gensim_writes_regard_reads(tmp_path, table, form):
    theirs = keyed.KeyedVectors(23)
    theirs.add_vectors(WORDS, table)
    theirs.save_word2vec_format(tmp_path / "file", binary=form == "binary", write_header=form != "glove")
    ours = open_vectors(tmp_path / "file")
    assert list(ours.words) == theirs.index_to_key and np.array_equal(ours.vectors, theirs.vectors)
    neighbours_agree(ours, theirs, WORDS)


def test_analogies_are_those_of_gensim(table):
    theirs = keyed.KeyedVectors(23)
    theirs.add_vectors(WORDS, table)
    ours = WordVectors(WORDS, table)
    for i in range(50):
        a, b, c = WORDS[i], WORDS[i + 50], WORDS[i + 100]
        expected = theirs.most_similar(positive=[b, c], negative=[a], topn=5)
        assert [w for w, _ in expected] == list(ours.analogy(a, b, c, most=5).words)
    assert ours.similarity("w1", "Löwe") == pytest.approx(theirs.similarity("w1", "Löwe"), abs=1e-6)


@pytest.mark.parametrize(
    "name, form",
    [
        ("lee_fasttext.vec", "word2vec"),
        ("crime-and-punishment.vec", "word2vec"),
        ("toy-model.vec", "word2vec"),
        ("euclidean_vectors.bin", "binary"),
        ("poincare_vectors.bin", "binary"),
        ("high_precision.kv.bin", "binary"),
        ("test_glove.txt", "glove"),
    ],
)
def test_files_that_come_with_gensim(tmp_path, data, name, form):
    if not (data / name).is_file():
        pytest.skip(f"this gensim has no {name}")
    theirs = loaded(data / name, form, tmp_path)
    ours = open_vectors(data / name)
    assert list(ours.words) == theirs.index_to_key and np.array_equal(ours.vectors, theirs.vectors)
    some = [word for word in theirs.index_to_key[:40] if theirs[word].any()]
    for word in some:
        assert ours.similarity(some[0], word) == pytest.approx(theirs.similarity(some[0], word), abs=1e-5)


@pytest.mark.parametrize("name", ["lee_fasttext.bin", "toy-model.bin", "word2vec_pre_kv_py3", "pretrained.vec"])
def test_files_of_gensim_that_are_something_else_or_cut_short(data, name):
    with pytest.raises(Unreadable):
        open_vectors(data / name)


def test_odd_tables_of_gensim(tmp_path):
    """Spaces inside words, which gensim writes and cannot read again; a repeated word; a vector of nothing."""
    table = np.random.default_rng(1).normal(size=(4, 11)).astype(np.float32)
    table[2] = 0
    theirs = keyed.KeyedVectors(11)
    theirs.add_vectors(["ice cream", "a", "nothing", "the end of it"], table)
    for binary in (True, False):
        theirs.save_word2vec_format(tmp_path / "file", binary=binary)
        ours = open_vectors(tmp_path / "file")
        assert list(ours.words) == theirs.index_to_key and np.array_equal(ours.vectors, table)
        assert ours.similarity("nothing", "a") == 0
    with (tmp_path / "file").open("a") as file:
        file.write("a " + "1 " * 11)
    text = (tmp_path / "file").read_text().replace("4 11", "5 11", 1)
    (tmp_path / "file").write_text(text)
    assert np.array_equal(open_vectors(tmp_path / "file")["a"], table[1]), "of a repeated word, the first"
