"""`regard vectors` and `regard near`: what they print, and that every number on screen is a cell."""

import json

import numpy as np
import pytest

from regard.cli.main import run
from regard.vectors.files import FORMS, open_vectors
from regard.vectors.finding import find_vectors
from regard.vectors.wordvectors import WordVectors
from regard.views.ink import Ink, cells_of
from regard.views.near import near_lines
from regard.views.vectors import agreement_lines, answered_lines, map_lines

WORDS = ["king", "queen", "man", "woman", "apple", "\x1b[31mred"]


@pytest.fixture
def file(tmp_path):
    table = np.array([[3, 0, 0.5], [3, 3, 0.4], [1, 0, 0], [1, 1, 0], [0, 0, 9], [-1, 0, 0]])
    WordVectors(WORDS, table).save(tmp_path / "royal.vectors")
    return str(tmp_path / "royal.vectors")


def told(capsys, *arguments):
    assert run(list(arguments)) == 0
    return capsys.readouterr().out


def refused(capsys, *arguments):
    assert run(list(arguments)) == 2
    return capsys.readouterr().err


def test_near_with_and_without_the_words_that_were_asked(capsys, file):
    out = told(capsys, "vectors", "near", file, "king - man + woman", "--plain")
    assert '"king - man + woman" in royal.vectors' in out and out.splitlines()[2].split()[0] == "queen"
    assert "\x1b" not in out, "a word of a file is only shown"
    out = told(capsys, "vectors", "near", file, "king", "--with-inputs", "--json")
    first = json.loads(out)["near"][0]
    assert (first["word"], first["cell"]) == ("king", "near0.cosine[king]") and first["cosine"] == pytest.approx(1)


def test_a_cosine_opens(capsys, file):
    out = told(capsys, "vectors", "near", file, "king - man + woman", "--why", "queen", "--depth", "3")
    assert out.startswith("near0-2+3.cosine[queen] = ") and "near0-2+3.dot[queen] / near0-2+3.sizes[queen]" in out
    assert "near0-2+3.size[queen] = " in out and "near0-2+3.own.size = " in out
    assert told(capsys, "why", "near0-2+3.cosine[queen]", "--model", file).splitlines()[0] == out.splitlines()[0]
    out = told(capsys, "vectors", "near", file, "king - man + woman", "--why", "own[1]")
    assert "near0-2+3.factors[king]·near0-2+3.units[king,1] + " in out
    assert ".cosine[apple] = " in told(capsys, "vectors", "analogy", file, "man", "king", "woman", "--why", "apple")


def test_analogy(capsys, file):
    out = told(capsys, "vectors", "analogy", file, "man", "king", "woman", "--json", "--top", "2")
    assert json.loads(out)["near"][0]["word"] == "queen" and json.loads(out)["word"] == "king − man + woman"


def test_near_takes_files_and_models_alike(capsys, file):
    assert "queen" in told(capsys, "near", "woman", "--model", file)
    data = json.loads(told(capsys, "near", "king", "--model", file, "--json"))
    assert data["near"][0]["cell"] == "near0.cosine[man]"
    assert told(capsys, "why", "near0.cosine[man]", "--model", file).startswith("near0.cosine[man] = 0.9864")
    assert "brown" in told(capsys, "vectors", "near", "fox", "fox")
    assert "no sign between" in refused(capsys, "near", "king man", "--model", file)
    assert "did you mean king?" in refused(capsys, "near", "kinng", "--model", file)
    assert "reads no text" in refused(capsys, "why", "near0.cosine[man]", "--model", file, "--text", "a")


def test_a_model_and_its_converted_table_say_the_same(capsys, tmp_path):
    out = str(tmp_path / "english.safetensors")
    told(capsys, "vectors", "convert", "english", out)
    model = json.loads(told(capsys, "near", "cat", "--json"))["near"]
    file = json.loads(told(capsys, "near", "cat", "--model", out, "--json"))["near"]
    assert [one["word"] for one in model] == [one["word"] for one in file]
    assert [one["cell"] for one in model] == [one["cell"] for one in file]


def test_evaluate_on_sets_of_ones_own(capsys, tmp_path, file):
    (tmp_path / "questions").write_text(": family\nman king woman queen\nman woman king apple\n")
    (tmp_path / "pairs").write_text("king queen 9\nking man 8\nking apple 1\n")
    out = told(capsys, "vectors", "evaluate", file, str(tmp_path / "questions"), str(tmp_path / "pairs"), "--plain")
    assert "family" in out and "50.0%" in out and "Spearman" in out and "0.500" in out
    out = told(capsys, "vectors", "evaluate", file, str(tmp_path / "questions"), "--json")
    assert json.loads(out)["analogies"][0]["all"]["answered"] == 1
    both = (file, str(tmp_path / "questions"), str(tmp_path / "pairs"))
    opened = told(capsys, "vectors", "evaluate", *both, "--why", "answered.share.all")
    assert "answered.all / covered.all" in opened
    assert "dot / sizes" in told(capsys, "vectors", "evaluate", *both, "--why", "agreement")
    assert "no step 'nothing'" in refused(capsys, "vectors", "evaluate", *both, "--why", "nothing")
    assert "is not here" in refused(capsys, "vectors", "evaluate", file, "missing")


def test_map(capsys, tmp_path, file):
    out = told(capsys, "vectors", "map", file, "--words", "king, queen,man,woman", "--plain")
    assert "first principal direction" in out and "woman" in out
    arguments = ("map", file, "--words", "king,queen,man,woman", "--across", "woman - man", "--up", "king - man")
    data = json.loads(told(capsys, "vectors", *arguments, "--json"))
    assert data["axes"] == ["woman − man", "king − man"]
    places = {one["word"]: one["across"] for one in data["words"]}
    assert places["queen"] > places["king"] and places["woman"] > places["man"]
    assert "map.up[king] = " in told(capsys, "vectors", *arguments, "--why", "king")
    figure = str(tmp_path / "map.svg")
    told(capsys, "vectors", *arguments, "--arrow", "man:king", "-o", figure)
    svg = (tmp_path / "map.svg").read_text(encoding="utf-8")
    assert all(f">{word}<" in svg for word in ("king", "queen", "man", "woman", "king − man"))
    assert "expects FROM:TO" in refused(capsys, "vectors", *arguments, "--arrow", "man", "-o", figure)
    assert "'apple' is not on the map" in refused(capsys, "vectors", *arguments, "--arrow", "man:apple", "-o", figure)
    assert "words with commas" in refused(capsys, "vectors", "map", file, "--words", " , ")


@pytest.mark.parametrize("form", FORMS)
def test_convert(capsys, tmp_path, file, form):
    out = told(capsys, "vectors", "convert", file, str(tmp_path / "out"), "--to", form)
    assert "6 words of 3 numbers" in out
    assert list(open_vectors(tmp_path / "out").words) == WORDS


def test_convert_tells_what_was_left_out(capsys, tmp_path):
    (tmp_path / "twice.vec").write_text("2 1\na 1\na 2\n")
    out = told(capsys, "vectors", "convert", str(tmp_path / "twice.vec"), str(tmp_path / "out.vectors"))
    assert "1 rows were left out" in out and "'a'" in out and "1 words of 1 numbers" in out


def test_broken_files_get_one_line(capsys, tmp_path):
    (tmp_path / "broken.vec").write_text("3 2\na 1 2\n" + " " * 30)
    said = refused(capsys, "vectors", "near", str(tmp_path / "broken.vec"), "a")
    assert said.count("\n") == 1 and "its first line says 3 words, and it ends after 1" in said


def test_every_number_on_screen_is_a_cell(file):
    from regard.vectors.evaluation import agreement, answered
    from regard.vectors.published import Analogies, Ratings

    vectors = find_vectors(file)
    found = vectors.analogy("man", "king", "woman")
    drawn = vectors.map2d(["king", "queen"])
    asked = answered(vectors, Analogies("a", {"one": [("man", "king", "woman", "queen")]}))
    rated = agreement(vectors, Ratings("b", [("king", "queen", 1.0), ("king", "man", 2.0)]))
    for trace, lines, expected in (
        (found.trace, near_lines(found, Ink(), ""), len(found.words)),
        (drawn.trace, map_lines(drawn, Ink()), 4),
        (asked.trace, answered_lines(asked, Ink()), 10),
        (rated.trace, agreement_lines([rated], Ink()), 3),
    ):
        cells = [(line.plain[start:end], address) for line in lines for start, end, address in cells_of(line)]
        assert len(cells) == expected
        for shown, address in cells:
            value = trace.cell(address).value
            digits = len(shown.rstrip("%").partition(".")[2])
            as_shown = float(shown.rstrip("%").replace(",", "")) / (100 if shown.endswith("%") else 1)
            assert as_shown == pytest.approx(value, abs=0.51 * 10.0 ** -(digits + 2 * shown.endswith("%")))


def test_a_file_that_is_missing_is_not_told_as_a_missing_model(capsys):
    assert "missing.vec: No such file" in refused(capsys, "vectors", "near", "missing.vec", "king")
    assert "no model 'missing'" in refused(capsys, "vectors", "near", "missing", "king")
