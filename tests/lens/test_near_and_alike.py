"""Neighbours in the table of word vectors, and how a sentence moves a word towards others: cosines as cells."""

import json

import numpy as np
import pytest

import regard
from regard.cli.main import run
from regard.lens.alike import cosines
from regard.lens.near import neighbours
from regard.lens.streams import streams
from regard.models.catalogue import find_model
from regard.suggestions import NotFound


def cosine(a, b):
    return float(sum(x * y for x, y in zip(a, b)) / (sum(x * x for x in a) * sum(y * y for y in b)) ** 0.5)


@pytest.mark.parametrize("name, word", [("fox", "fox"), ("apple", "orange"), ("english", "cat"), ("cat", "sat")])
def test_neighbours_by_definition(name, word):
    model = find_model(name)
    table, written = model.table(word)
    found = neighbours(table, written, 5)
    E, own = np.asarray(model.parameters["E"]), model.reads.index(written)
    for near, cell in zip(found.words, found.cosines):
        assert cell.value == pytest.approx(cosine(E[own], E[model.reads.index(near)]), abs=1e-12)
    values = [cell.value for cell in found.cosines]
    assert values == sorted(values, reverse=True) and written not in found.words
    everything = E @ E[own] / np.linalg.norm(E, axis=1) / np.linalg.norm(E[own])
    assert values[0] == pytest.approx(np.sort(everything)[-2], abs=1e-12), "only the word itself is nearer"


def test_a_cosine_opens_to_the_two_vectors():
    trace = regard.explain("The quick brown fox", model="fox")
    found = trace.near("fox", 1)
    assert found.words == ("brown",)
    opened = trace.why(trace.name_of(found.cosines[0]))
    assert opened.symbols() == "near3.dot[brown] / near3.sizes[brown]"
    assert str(trace.why("near3.dot[brown]")) == "near3.dot[brown] = 0.54 = 0.30·0.80 + 0.50·0.60"


def test_near_in_the_terminal(capsys):
    assert run(["near", "cat", "--top", "3"]) == 0
    assert "dog" in capsys.readouterr().out
    assert run(["near", "fox", "--model", "fox", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [each["word"] for each in told["near"]] == ["brown", "quick", "The"]
    assert run(["why", told["near"][0]["cell"]]) == 0
    assert run(["near", "fux", "--model", "fox"]) == 2
    assert "fox has no vector for 'fux'; did you mean fox?" in capsys.readouterr().err


def test_near_reads_the_folder_of_a_toy_too(tmp_path, capsys):
    (tmp_path / "mine.toml").write_text("words.a = [1, 0]\nwords.b = [1, 1]\nwords.c = [0, 0]\n", encoding="utf-8")
    assert run(["near", "a", "--model", str(tmp_path / "mine.toml"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["near"]
    assert [(each["word"], round(each["cosine"], 4)) for each in told] == [("b", 0.7071), ("c", 0.0)]


@pytest.mark.parametrize("name", ["fruit-or-company", "apple", "untrained", "masked"])
def test_cosines_before_and_after_by_definition(name):
    model = find_model(name)
    trace = model.as_written(model.sentence)
    other = model.reads[len(model.reads) // 2]
    vector = np.asarray(model.parameters["E"])[model.reads.index(other)]
    found = cosines(trace, 1, other)
    assert list(found) == ["itself", *(layer for layer, _ in streams(trace)[1:])]
    assert found["itself"].value == pytest.approx(cosine(trace.array("x")[1], vector), abs=1e-9)
    for layer, stream in streams(trace)[1:]:
        assert found[layer].value == pytest.approx(cosine(stream.value[1], vector), abs=1e-9)


def test_apple_comes_closer_to_what_stands_beside_it(capsys):
    texts = ["I bought an apple and an orange", "Apple unveiled a new phone"]
    for text, nearer, farther in zip(texts, ("orange", "phone"), ("phone", "orange")):
        trace = find_model("fruit-or-company").run(text)
        place = [word.lower() for word in trace.labels.words["T"]].index("apple")
        before, after = cosines(trace, place, nearer).values()
        assert after.value > before.value
        before, after = cosines(trace, place, farther).values()
        assert after.value < before.value
    options = ["--word", "apple", "--model", "fruit-or-company", "--with", "orange", "--with", "phone"]
    assert run(["gravity", *texts, *options]) == 0
    out = capsys.readouterr().out
    assert out.count("GRAVITY") == 2 and "apple by itself" in out and "0.862" in out
    assert run(["gravity", *texts, *options, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["cosines"][0]["orange"]["layer0"] == pytest.approx(0.862, abs=5e-4)


def test_gravity_is_drawn_and_bounded(tmp_path, capsys):
    picture = tmp_path / "gravity.svg"
    texts = ["I bought an apple and an orange", "Apple unveiled a new phone"]
    assert run(["gravity", *texts, "--word", "apple", "--model", "apple", "-o", str(picture)]) == 0
    assert "Where each sentence moves" in picture.read_text(encoding="utf-8")
    assert run(["gravity", *texts * 2, "--model", "apple"]) == 2
    assert "at most 3 sentences, got 4" in capsys.readouterr().err
    assert run(["gravity", "an orange", "--word", "pear", "--model", "apple"]) == 2
    assert "'pear' is not in" in capsys.readouterr().err


def test_gravity_hides_nothing_in_the_masked_model(capsys):
    assert run(["gravity", "He sat on the bank of the river", "--word", "bank", "--model", "masked", "--json"]) == 0
    assert "[MASK]" not in json.loads(capsys.readouterr().out)["sentences"][0]["words"]


def test_the_planes_of_matching_and_of_content(tmp_path):
    picture = tmp_path / "planes.svg"
    command = ["figure", "apple orange phone the", "--query", "apple", "--model", "apple", "--what", "planes"]
    assert run([*command, "-o", str(picture)]) == 0
    drawn = picture.read_text(encoding="utf-8")
    assert "Matching space" in drawn and "Content space" in drawn and "q of apple" in drawn


def test_numbers_that_are_no_word():
    trace = regard.explain("The quick brown fox", model="fox")
    for name in ("near9.cosine[fox]", "alike9[fox]"):
        with pytest.raises(NotFound, match="no word 9"):
            trace.cell(name)
