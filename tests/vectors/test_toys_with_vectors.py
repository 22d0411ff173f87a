"""A toy may take the vectors of its words from a file, and is then a model like any other."""

import numpy as np
import pytest

import regard
from regard.cli.main import run
from regard.session.shelf import Shelf
from regard.session.traces import Traces
from regard.toys.problem import ToyProblem
from regard.toys.toy_file import toy_text
from regard.vectors.wordvectors import WordVectors


@pytest.fixture
def folder(tmp_path):
    table = np.random.default_rng(0).normal(size=(5, 4)).astype(np.float32)
    WordVectors(["the", "king", "queen", "rules", "sleeps"], table).save(tmp_path / "royal.vec")
    (tmp_path / "mine.toml").write_text(
        'vectors = "royal.vec"\nwords = ["the", "king"]\nnext = ["rules", "sleeps"]\nsentence = "the king"\n'
    )
    return tmp_path


def test_a_toy_with_vectors_of_a_file(folder, capsys):
    vectors = WordVectors.open(folder / "royal.vec")
    trace = regard.explain("the king", next="rules", model=folder / "mine.toml")
    assert trace["E[king,2]"] == float(vectors["king"][2]) and trace["W_out[sleeps,0]"] == float(vectors["sleeps"][0])
    dot = sum(float(a) * float(b) for a, b in zip(vectors["king"], vectors["the"]))
    assert trace["scores[king,the]"] == pytest.approx(dot)
    assert run(["explain", "the king", "--next", "rules", "--model", str(folder / "mine.toml")]) == 0
    assert "the king" in capsys.readouterr().out


def test_the_same_in_python(folder):
    vectors = WordVectors.open(folder / "royal.vec")
    for given in (vectors, folder / "royal.vec", str(folder / "royal.vec")):
        toy = regard.toy(["the", "queen"], {"rules": [1, 0, 0, 0], "sleeps": [0, 1, 0, 0]}, vectors=given)
        assert toy.reads == ("the", "queen") and toy.parameters["E"].tolist() == [
            vectors["the"].tolist(),
            vectors["queen"].tolist(),
        ]


FILE = 'vectors = "royal.vec"\n'


@pytest.mark.parametrize(
    "text, said",
    [
        ('vectors = "none.vec"\nwords = ["the"]', ":1:11: vectors: none.vec: No such file or directory"),
        ('vectors = 3\nwords = ["the"]', ":1:11: vectors expects the name of a file of word vectors, got 3"),
        (f'{FILE}words = ["the", "kin"]', r":2:17: words\[1\]: no vector for 'kin'; did you mean king"),
        (f"{FILE}words = 3", ":2:9: words expects a list of texts"),
        (f'{FILE}words = ["the"]\nrandom = {{ seed = 1 }}', "random makes .* random numbers; leave vectors out"),
    ],
)
def test_what_is_wrong_is_told_by_line_and_column(folder, text, said):
    (folder / "mine.toml").write_text(text + "\n")
    with pytest.raises(ToyProblem, match=f"mine.toml.*{said}"):
        regard.explain("the", model=folder / "mine.toml")


def test_a_toy_that_comes_as_text_opens_no_file(folder):
    """A link to the page may hold a toy: it must not make this machine read its files, nor say what is in them."""
    text = f'vectors = "{folder}/royal.vec"\nwords = ["the", "king"]\n'
    with pytest.raises(
        ToyProblem, match=r"mine.toml:1:1: vectors names a file, which only a toy may do that is a file"
    ):
        toy_text(text, "mine.toml")
    with pytest.raises(ValueError, match="vectors names a file") as told:
        Traces(Shelf()).shelf.toy(f"{folder}/mine.toml", text)
    assert "royal" not in str(told.value)
