"""--edit, --move and --hide are applied in the order in which they stand on the command line."""

import itertools
import json
import re

import pytest

import regard
from regard.cli.main import run

FOX = ["explain", "The quick brown fox", "--next", "jumps"]
EDIT_FOX, EDIT_THE = ["--edit", "weights[fox,fox]=0.5"], ["--edit=weights[fox,The]=0.35"]
MOVE_BROWN, MOVE_THE = ["--move", "weights[fox,brown]=0.2"], ["--move", "weights[fox,The]=0.3"]
HIDE = ["--hide", "quick"]


def done_by_hand(trace, options):
    """The same by the methods of the trace, one after the other."""
    for option in options:
        name, _, value = (option[0] if len(option) == 1 else "=".join(option))[2:].partition("=")
        cell, _, number = value.rpartition("=")
        trace = trace.hide(value) if name == "hide" else getattr(trace, name)(cell, float(number))
    return trace


@pytest.mark.parametrize(
    "options",
    [
        *itertools.permutations([MOVE_BROWN, MOVE_THE, HIDE]),
        [EDIT_FOX, EDIT_THE, MOVE_BROWN],
        [MOVE_BROWN, EDIT_FOX, EDIT_THE],
        [MOVE_BROWN, EDIT_FOX, HIDE, EDIT_THE],
    ],
)
def test_the_numbers_are_those_of_the_order_given(options, capsys):
    assert run([*FOX, *itertools.chain(*options), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    trace = done_by_hand(regard.explain("The quick brown fox", next="jumps"), options)
    assert [r["weight"] for r in found["readings"]] == trace.array("weights")[0, 3].tolist()
    assert found["edits"] == [edit.data() for edit in trace.edits]


def test_another_order_is_another_run(capsys):
    weights = []
    for options in ([EDIT_FOX, EDIT_THE, MOVE_BROWN], [MOVE_BROWN, EDIT_FOX, EDIT_THE]):
        assert run([*FOX, *itertools.chain(*options), "--json"]) == 0
        weights.append([r["weight"] for r in json.loads(capsys.readouterr().out)["readings"]])
    assert sum(weights[0]) == pytest.approx(1) and sum(weights[1]) != pytest.approx(1)


def test_what_one_order_allows_another_does_not(capsys):
    assert run([*FOX, *MOVE_BROWN, *EDIT_FOX]) == 0
    assert run([*FOX, *EDIT_FOX, *MOVE_BROWN]) == 2
    assert "not a row of shares" in capsys.readouterr().err


def test_the_screen_says_what_was_done_in_that_order(capsys):
    assert run([*FOX, *MOVE_BROWN, *EDIT_FOX, *HIDE]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert '3 edits (weights[fox,brown] dragged to 0.2; weights[fox,fox] set to 0.5; "quick" hidden from all)' in said
    assert run([*FOX, *HIDE, *MOVE_BROWN, *EDIT_FOX]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert '3 edits ("quick" hidden from all; weights[fox,brown] dragged to 0.2; weights[fox,fox] set to 0.5)' in said


def test_every_command_of_a_run_takes_them(capsys, tmp_path):
    given = [*MOVE_BROWN, *EDIT_FOX, *HIDE]
    assert run(["why", "context[fox,0]", *given, "--digits", "12"]) == 0
    found = float(capsys.readouterr().out.split(" = ")[1])
    trace = done_by_hand(regard.explain("The quick brown fox", next="jumps"), [MOVE_BROWN, EDIT_FOX, HIDE])
    assert found == pytest.approx(trace["context[fox,0]"], abs=1e-9)
    out = tmp_path / "fox.html"
    assert run(["export", *FOX[1:], *given, "-o", str(out)]) == 0
    kinds = re.findall(r'"kind": ?"(move|edit|hide)", ?"(?:cell|word)"', out.read_text(encoding="utf-8"))
    assert kinds == ["move", "edit", "hide"]
    assert run(["export", *FOX[1:], "--hide", "zebra", "-o", str(out)]) == 2
    pytest.importorskip("matplotlib")
    assert run(["figure", *FOX[1:], *given, "-o", str(tmp_path / "weights.svg")]) == 0


@pytest.mark.parametrize(
    "options, said",
    [
        (["--hide", "zebra"], "no key 'zebra' here"),
        (["--hide", "7"], "key 7 does not exist"),
        (["--hide", ""], "hide expects a word"),
        (["--edit", "weights[" + "1," * 400 + "1]=2"], "at most 600 characters"),
        (["--move", "weights[fox,fox]=1e40"], "at most 1e+30"),
    ],
)
def test_what_cannot_be_done_is_one_line(options, said, capsys):
    assert run([*FOX, *options]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


def test_a_repeated_word_is_hidden_where_it_is_said(capsys):
    given = ["explain", "the cat the cat", "--model", "two-heads", "--next", "purring"]
    assert run([*given, "--hide", "the"]) == 2
    assert "the@0, the@2" in capsys.readouterr().err
    assert run([*given, "--hide", "the@2", "--json"]) == 0
    readings = json.loads(capsys.readouterr().out)["readings"]
    assert [r["weight"] == 0 for r in readings] == [False, False, True, False]


@pytest.mark.parametrize(
    "asked", [["explain", "The quick brown fox", *MOVE_BROWN], ["why", "weights[0,0]", "--text", "The quick brown fox"]]
)
def test_a_cell_that_is_not_found_is_told_with_the_model_and_the_toy_that_may_be_meant(asked, capsys):
    assert run(asked) == 2
    told = capsys.readouterr().err
    assert "in several places" in told
    assert told.endswith("(the text was read by english; the toy with these words is --model fox)\n")
    assert run([*asked, "--model", "fox"]) == 0


def test_no_toy_is_named_where_none_has_the_words_or_one_was_chosen(capsys):
    assert run(["explain", "A zebra", "--hide", "quick"]) == 2
    assert capsys.readouterr().err.endswith("(the text was read by english)\n")
    assert run([*FOX, "--hide", "zebra"]) == 2
    assert capsys.readouterr().err.endswith("(the text was read by fox)\n")
    assert run([*FOX, "--hide", "zebra", "--model", "fox"]) == 2
    assert "read by" not in capsys.readouterr().err
