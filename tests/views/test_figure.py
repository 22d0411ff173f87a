"""Figures: every kind in every format, the same bytes each time, words as text, colours of the roles, no markup."""

import re
import sys
import xml.etree.ElementTree as Tree
from pathlib import Path

import numpy as np
import pytest

import regard
from regard.cli.main import run
from regard.views.figure import FORMATS, KINDS, figure, save

NAMED = {"row": "#cc79a7", "vectors": "#0072b2 #d55e00 #009e73 #cc79a7"}


@pytest.fixture(scope="module")
def fox():
    return regard.explain("The quick brown fox", next="jumps")


def svg_of(trace, what: str, folder: Path, **place) -> str:
    path = folder / f"{what}.svg"
    assert save(figure(trace, what, **place), path) == []
    return path.read_text(encoding="utf-8")


def words_of(svg: str) -> list[str]:
    return [text.text or "" for text in Tree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("what", KINDS)
def test_every_figure_is_drawn_the_same_twice_with_words_as_text(what, fox, tmp_path):
    first, second = svg_of(fox, what, tmp_path), svg_of(fox, what, tmp_path)
    assert first == second
    said = " ".join(words_of(first))
    assert "fox" in said or what == "heads"
    assert not re.search(r"\d{4}-\d\d-\d\d", first)
    for colour in NAMED.get(what, "").split():
        assert colour in first.lower(), colour


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("what", KINDS)
def test_every_format(what, ending, fox, tmp_path):
    path = tmp_path / f"drawn.{ending}"
    save(figure(fox, what), path)
    begins = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}[ending]
    assert path.read_bytes().startswith(begins)


def test_a_notebook_shows_it_by_itself(fox, tmp_path):
    drawn = figure(fox, "row")
    save(drawn, tmp_path / "row.svg")
    assert drawn._repr_svg_() == (tmp_path / "row.svg").read_text(encoding="utf-8")


def test_numbers_and_limits_are_the_traces(fox, tmp_path):
    said = words_of(svg_of(fox, "weights", tmp_path))
    for value in fox.array("weights")[0].ravel():
        assert (f"{value:.2f}" if value else "0") in said
    assert {"query: reads ↓", "key: is read →", "weight", "1.00"} <= set(said)
    row = words_of(svg_of(fox, "row", tmp_path, query="brown"))
    assert {f"{value:.4f}" for value in fox.array("weights")[0, 2][:3]} <= set(row)
    most = np.abs(fox.array("scores.grad")[0]).max()
    limits = set(words_of(svg_of(fox, "blame", tmp_path)))
    assert {f"{most:.4f}", f"-{most:.4f}"} <= {text.replace("−", "-") for text in limits}


def test_a_layer_a_head_and_a_query_are_chosen_or_what_there_is_is_told(tmp_path):
    trace = regard.explain("On the mat a cat sat", next="purring", model="two-heads")
    assert "layer 0, head 1" in " ".join(words_of(svg_of(trace, "weights", tmp_path, layer=0, head=1)))
    for place, told in (
        ({"layer": 7}, "there is one layer"),
        ({"head": 2}, "there are 2"),
        ({"query": "dog"}, "no query"),
    ):
        with pytest.raises(KeyError, match=told):
            figure(trace, "row", **place)
    with pytest.raises(KeyError, match="weights"):
        figure(trace, "weihts")


def test_an_edited_run_says_so(fox, tmp_path):
    assert not any("edit" in text for text in words_of(svg_of(fox, "row", tmp_path)))
    edited = words_of(svg_of(fox.edit("weights[fox,fox]", 0.05), "row", tmp_path))
    assert any("1 edit: not the model's own numbers" in text for text in edited)


def test_gravity_follows_the_toys_own_word_and_fills_its_square():
    drawn = figure(regard.explain("I bought an apple and an orange", model="fruit-or-company"), "gravity")
    (axes,) = drawn.axes
    assert "“apple”" in drawn.get_suptitle()
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    assert right - left == pytest.approx(high - low), "equal scales, so anything else is a strip"
    assert left < 0.5 < 1.07 < right and right - left < 1, "from the word's own place to where it is moved"


def test_odd_tokens_are_drawn_as_they_are(tmp_path):
    trace = regard.explain('<img src=x> $x^2$ 狐 "&"', model="fox")
    svg = svg_of(trace, "weights", tmp_path)
    said = words_of(svg)
    assert {"img", "狐", "&"} <= {text.partition("@")[0] for text in said} and any("$" in text for text in said)
    assert "<img" not in svg
    notes = save(figure(trace, "weights"), tmp_path / "odd.png")
    assert len(notes) == 1 and "have no shape" in notes[0]


def test_the_command_writes_and_tells_mistakes(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["figure", "The quick brown fox", "--what", "logits", "--next", "jumps", "-o", "a.pdf"]) == 0
    assert "a.pdf" in capsys.readouterr().out
    for wrong, told in (
        (["-o", "a.gif"], ".svg, .pdf, .png"),
        (["--what", "wieghts"], "weights"),
        (["--what", "blame"], "next"),
        (["--layer", "3"], "there is one layer"),
    ):
        assert run(["figure", "The quick brown fox", "--model", "fox", *wrong]) == 2
        assert told in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert run(["figure", "The quick brown fox", "--model", "fox"]) == 2
    assert "pip install 'regard[figures]'" in capsys.readouterr().err


@pytest.mark.parametrize("what", ["vectors", "planes"])
@pytest.mark.parametrize(
    "text, model", [("a lazy fox and a lazy fox", "fox"), ("Once upon a time there was a", "english")]
)
def test_no_name_of_an_arrow_crosses_another(what, text, model):
    drawn = figure(regard.explain(text, model=model), what)
    drawn.draw_without_rendering()
    for axes in drawn.axes:
        names = [(text.get_text(), text.get_window_extent()) for text in axes.texts if text.get_text()]
        assert len(names) > 3
        crossing = [(one, other) for i, (one, a) in enumerate(names) for other, b in names[:i] if a.overlaps(b)]
        assert not crossing
