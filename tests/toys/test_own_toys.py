"""A toy of one's own: in Python and as a file, explained, opened, moved, taught, served and exported."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import regard
from regard.cli.main import run
from regard.models.catalogue import find_model
from regard.models.names import TOYS
from regard.session.shelf import Shelf
from regard.session.state import State
from regard.session.traces import Traces
from regard.toys.shipped import EXAMPLE
from regard.toys.toy import toy

WORDS = {"the": [0.1, 0.2, 0.3], "cat": [0.9, 0.3, -0.5]}
NEXT = {"sat": [1.0, 0.0, 0.5], "ran": [0.0, 1.0, -0.5]}
FIVE_LINES = """words.the = [0.1, 0.2]
words.small = [0.4, 0.1]
words.cat = [0.9, 0.6]
next.sat = [0.8, 0.3]
next.ran = [0.2, 0.9]
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(FIVE_LINES, encoding="utf-8")
    return "mine.toml"


def test_by_definition_without_projections():
    trace = regard.explain("the cat", next="ran", model=toy(words=WORDS, next=NEXT))
    x = np.array([WORDS["the"], WORDS["cat"]])
    exps = np.exp(x @ x[1] / np.sqrt(3))
    context = exps @ x / exps.sum()
    logits = np.array(list(NEXT.values())) @ context
    shares = np.exp(logits) / np.exp(logits).sum()
    np.testing.assert_allclose(trace.array("probabilities"), shares, rtol=1e-14)
    assert trace["loss"] == pytest.approx(-np.log(shares[1]))
    assert trace.labels.words["V"] == ("sat", "ran"), "in the order given"


def test_by_definition_with_everything():
    """Two heads, W_O, a distance bias, no scaling, both ways, the word added."""
    random = np.random.default_rng(0)
    W_Q, W_K, W_V = random.normal(size=(3, 2, 3, 5))
    W_O, bias = random.normal(size=(10, 3)), random.normal(size=(2, 2))
    mine = toy(
        WORDS, NEXT, W_Q, W_K, W_V, W_O, positions={"distance": bias}, scaling="none", mask="both", residual=True
    )
    x = np.array([WORDS["the"], WORDS["cat"]])
    side_by_side = []
    for head in range(2):
        scores = (x[1] @ W_Q[head]) @ (x @ W_K[head]).T + bias[head][[1, 0]]
        exps = np.exp(scores)
        side_by_side.append(exps @ (x @ W_V[head]) / exps.sum())
    read = x[1] + np.concatenate(side_by_side) @ W_O
    np.testing.assert_allclose(mine.run("the cat").array("read"), read, rtol=1e-12)


def test_without_next_it_says_the_words_it_reads():
    trace = regard.explain("the cat", next="the", model=toy(words=WORDS))
    assert trace.labels.words["V"] == ("the", "cat") and "W_out" not in trace.parameters
    assert trace.update(rate=0.1)["loss"] < trace["loss"]


@pytest.mark.parametrize(
    "begins, row",
    [
        ({"scores": {"cat": {"the": 1.0, "cat": 2.0}}, "head_width": 4}, np.exp([0.5, 1.0]) / np.exp([0.5, 1.0]).sum()),
        ({"scores": [[0.0, 0.0], [1.0, 2.0]]}, np.exp([1.0, 2.0]) / np.exp([1.0, 2.0]).sum()),
        ({"weights": {"cat": [0.25, 0.75]}}, [0.25, 0.75]),
    ],
)
def test_it_may_begin_at_scores_or_at_weights(begins, row):
    trace = regard.explain("the cat", next="ran", model=toy(words=WORDS, next=NEXT, **begins))
    np.testing.assert_allclose(trace.array("weights")[0, 1], row, rtol=1e-15)
    context = row @ np.array([WORDS["the"], WORDS["cat"]])
    np.testing.assert_allclose(trace.array("read"), context, rtol=1e-14)
    assert trace.update(rate=0.1)["loss"] < trace["loss"]
    assert trace.move("weights[cat,the]", 0.5)["weights[cat,cat]"] == pytest.approx(0.5)


def test_the_same_toy_from_a_file_and_from_python(mine):
    told = {"the": [0.1, 0.2], "small": [0.4, 0.1], "cat": [0.9, 0.6]}
    one = regard.explain("the small cat", next="sat", model=mine)
    two = regard.explain(
        "the small cat", next="sat", model=toy(words=told, next={"sat": [0.8, 0.3], "ran": [0.2, 0.9]})
    )
    assert list(one.steps) == list(two.steps)
    assert all(np.array_equal(step.value, two.step(name).value) for name, step in one.steps.items())


def test_five_lines_explain_why_move_and_update(mine, capsys):
    assert run(["explain", "the small cat", "--next", "sat", "--model", mine, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["model"] == mine and told["learning"]["next_loss"] < told["learning"]["loss"]
    for command in (
        ["why", "weights[cat,small]", "--model", mine, "--text", "the small cat"],
        ["explain", "the small cat", "--next", "sat", "--model", mine, "--move", "weights[cat,cat]=0.2"],
        ["flow", "the small cat", "--model", mine],
        ["figure", "the small cat", "--model", mine, "-o", "mine.svg"],
    ):
        assert run(command) == 0, command
    out = capsys.readouterr().out
    assert "weights[cat,small] = 0.2808 = 1.3458 / 4.7930" in out
    assert "--model mine.toml" in out, "the next command is about the same toy"


def test_five_lines_export_a_page_that_is_live(mine):
    assert run(["export", "the small cat", "--next", "sat", "--model", mine, "-o", "mine.html"]) == 0
    page = Path("mine.html").read_text(encoding="utf-8")
    assert "mine.toml" in page and "the small cat" in page


def test_five_lines_are_served_and_a_changed_file_is_read_again(mine):
    traces = Traces(Shelf(opened=(mine,)))
    state = State(model=mine, text="the small cat", next="sat", changes=[{"kind": "update", "rate": 0.1, "times": 3}])
    seen = traces.of(state)
    assert [m.update for m in seen.moments] == [0, 1, 2, 3] and seen.moments[-1].loss < seen.moments[0].loss
    before = traces.of(state.model_copy(update={"changes": []})).trace["weights[cat,small]"]
    with open(mine, "a", encoding="utf-8") as file:
        file.write("next.slept = [0.5, 0.5]\n")
    after = traces.of(state.model_copy(update={"changes": []})).trace
    assert after["weights[cat,small]"] == before and after.labels.words["V"] == ("sat", "ran", "slept")


def test_a_broken_file_is_told_to_the_page_without_its_folder(mine, tmp_path):
    shelf = Shelf(opened=(str(tmp_path / mine),))
    assert next(m for m in shelf.listing() if m["name"] == mine)["size"] == "toy"
    (tmp_path / mine).write_text("words.the = [0.1, 'x']", encoding="utf-8")
    told = next(m for m in shelf.listing() if m["name"] == mine)["problem"]
    assert "mine.toml:1:19: words.the[1] expects a number, got the text 'x'" in told
    assert str(tmp_path) not in told


def test_the_run_of_a_toy_is_saved_and_opened_again(mine, tmp_path):
    trace = regard.explain("the small cat", next="sat", model=mine)
    trace.save(tmp_path / "run.npz")
    again = regard.load(tmp_path / "run.npz")
    assert again.why("loss").text(6) == trace.why("loss").text(6)


def test_toy_new_writes_an_example_that_works(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(["toy", "new"]) == 0
    command = capsys.readouterr().out.splitlines()[-1]
    assert command == 'regard explain "the small cat" --next sat --model mine.toml'
    assert run(["explain", "the small cat", "--next", "sat", "--model", "mine.toml"]) == 0
    assert run(["toy", "new"]) == 2 and "mine.toml exists already" in capsys.readouterr().err
    assert run(["toy", "new", "mine.txt"]) == 2 and "ends in .toml" in capsys.readouterr().err


def test_what_the_example_says_in_comments_is_true(tmp_path):
    """Every line that is commented out can be put in."""
    text = EXAMPLE.read_text(encoding="utf-8")
    above, _, below = text.partition("[words]")
    said = [line[2:].partition("   #")[0] for line in below.splitlines() if line.startswith("# ") and " = " in line]
    options = "\n".join(line for line in said if not line.startswith(("title", "cat = {", "W_O", "head_width")))
    (tmp_path / "all.toml").write_text(f"{above}\n{options}\n[words]{below}", encoding="utf-8")
    found = find_model(tmp_path / "all.toml")
    assert found.names == {"C": ("first", "second"), "H": ("only",), "G": ("only",)} and found.query == "cat"
    rows, wide = (next(line for line in said if line.startswith(begin)) for begin in ("cat = {", "head_width"))
    for option, scaled in (("", [2, 4, 6]), (wide, [1, 2, 3])):
        (tmp_path / "scores.toml").write_text(f"{option}\n{text}\n[scores]\n{rows}", encoding="utf-8")
        begun = find_model(tmp_path / "scores.toml").run("the small cat")
        assert begun.array("scores")[0, 2].tolist() == [2, 4, 6] and begun.array("scaled")[0, 2].tolist() == scaled


def test_toy_list_names_every_toy(capsys):
    assert run(["toy", "list", "--json"]) == 0
    names = [found["name"] for found in json.loads(capsys.readouterr().out)["toys"]]
    assert {"fox", "apple", "four-heads", "cat", "matrix"} <= set(names) and "english" not in names


def test_toy_list_shows_the_sentences_on_a_narrow_screen(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["toy", "list"]) == 0
    told = capsys.readouterr().out
    assert all(find_model(name).sentence in told for name in TOYS)
    assert max(map(len, told.splitlines())) <= 80


def test_a_toy_that_is_not_there(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(["explain", "the cat", "--model", "mine.toml"]) == 2
    assert "regard toy new mine.toml" in capsys.readouterr().err
    shutil.copy(EXAMPLE, "mine.txt")
    assert run(["explain", "the cat", "--model", "mine.txt"]) == 2
    assert "ends in .toml" in capsys.readouterr().err


def test_without_a_sentence_a_toy_is_shown_with_its_first_words(mine, capsys):
    assert find_model(mine).sentence == "the small cat"
    assert run(["why", "weights[cat,cat]", "--model", mine]) == 0
    assert capsys.readouterr().out.startswith("weights[cat,cat] = 0.4772")
    many = {f"word{i}": [float(i), 1.0] for i in range(20)}
    assert toy(many).sentence == " ".join(list(many)[:8])
    assert toy(many, query="word9").sentence == "", "the word that predicts is not among them"
    letters = {"a": [1.0], "b": [2.0], "c": [3.0]}
    assert toy(letters, scores={"b": {"a": 1.0, "b": 2.0}}).sentence == "a b", "c has no scores to predict with"


def test_a_model_that_has_no_sentence_asks_for_a_text(tmp_path, capsys):
    words = "".join(f"w{i} = [{i}.0]\n" for i in range(10))
    (tmp_path / "odd.toml").write_text(f'query = "w9"\n[words]\n{words}', encoding="utf-8")
    assert run(["why", "weights[0,0]", "--model", str(tmp_path / "odd.toml")]) == 2
    assert "odd.toml has no sentence of its own; give a text" in capsys.readouterr().err


def test_heads_may_have_names():
    two = {"W_Q": [[[1.0], [0.0]], [[0.0], [1.0]]], "W_K": [[[1.0], [0.0]], [[0.0], [1.0]]]}
    two |= {"W_V": two["W_Q"], "words": {"the": [0.1, 0.2], "cat": [0.9, 0.3]}}
    run = toy(head_names=["near", "far"], **two).run("the cat")
    assert run["weights[far,cat,the]"] == run["weights[1,cat,the]"] != run["weights[near,cat,the]"]
    assert str(run.why("weights[1,cat,the]")).startswith("weights[far,cat,the] = ")
    for names in (["near"], ["near", "near"], ["near", "far", "other"]):
        with pytest.raises(ValueError, match="head_names expects 2 different names, one for each head"):
            toy(head_names=names, **two)


def test_a_score_that_was_not_given_is_hidden_and_no_number_is_made_up(tmp_path, capsys):
    mine = tmp_path / "mine.toml"
    words = "a = [0.1, 0.2]\nb = [0.9, 0.3]\nc = [0.5, 0.5]\n"
    mine.write_text(f"[words]\n{words}[scores]\nc = {{ b = 1.0 }}\n", encoding="utf-8")
    assert run(["explain", "a b c", "--model", str(mine), "--plain"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    shown = {
        row[0]: row[1:5] for row in rows if len(row) > 7 and row[0] in ("a", "b", "c") and row[4][:2] in ("0.", "1.")
    }
    nothing = ["-", "-", "hidden", "0.000"]
    assert shown == {"a": nothing, "b": ["1.000", "1.000", "2.718", "1.000"], "c": nothing}
    assert run(["explain", "a b c", "--model", str(mine), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["readings"]
    assert [(one["visible"], one["score"]) for one in told] == [(False, None), (True, 1.0), (False, None)]
