"""`regard train --embeddings`: the table of a model begins as word vectors."""

import re

import numpy as np

from regard.cli.main import run as regard
from regard.models.catalogue import find_model
from regard.vectors.wordvectors import WordVectors

TEXT = "the cat sat on the mat and the dog sat on the cat\n" * 40
TINY = ["width=8", "heads=2", "layers=1", "vocabulary=300", "window=8", "batch=2", "updates=1", "rate=1e-30"]


def options(*settings):
    return [part for setting in settings for part in ("--set", setting)]


def test_words_begin_with_their_vectors_and_the_others_at_random(tmp_path, capsys):
    (tmp_path / "a.txt").write_text(TEXT)
    vectors = WordVectors(["cat", "the", "zebra"], np.random.default_rng(1).normal(size=(3, 8)) * 9)
    vectors.save(tmp_path / "words.vec")
    tiny = options(*TINY)
    out, name = tmp_path / "run", str(tmp_path / "words.vec")
    assert regard(["train", str(tmp_path / "a.txt"), *tiny, "--embeddings", name, "--out", str(out)]) == 0
    said = capsys.readouterr().out
    model = find_model(out)
    table, pieces = np.asarray(model.parameters["E"]), list(model.reads)
    cats = [i for i, piece in enumerate(pieces) if piece.strip() == "cat"]
    known = re.search(rf"(\d+) of {len(pieces)} pieces begin with", said)
    assert cats and known and len(cats) < int(known[1]) <= 6  # the and cat, with a space before them or without
    for row in cats:
        cosine = table[row] @ vectors["cat"] / np.linalg.norm(table[row]) / np.linalg.norm(vectors["cat"])
        assert cosine > 0.99999
    assert np.sqrt(np.mean(table**2)) < 0.03  # as large as random ones


def test_another_width_is_refused_before_anything_is_read(tmp_path, capsys):
    (tmp_path / "a.txt").write_text(TEXT)
    WordVectors(["cat", "the"], np.ones((2, 5))).save(tmp_path / "words.vec")
    arguments = ["train", str(tmp_path / "a.txt"), "--embeddings", str(tmp_path / "words.vec")]
    assert regard([*arguments, "--out", str(tmp_path / "run")]) == 2
    assert "vectors of 5 numbers and the model reads 128" in capsys.readouterr().err
