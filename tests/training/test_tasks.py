"""Hidden words and classes, learned on the same blocks: from the batches to a look inside."""

import shutil

import numpy as np
import pytest
import torch

from regard.checkpoints.places import name_of
from regard.cli.main import run
from regard.models.catalogue import find_model
from regard.models.network import Network
from regard.training import checkpoint
from regard.training.data import Mixture, Tokens
from regard.training.examples import Examples
from regard.training.labelled import read_labelled
from regard.training.masking import HIDDEN, SWAPPED, Masked

MASK, WORDS = 999, 900


def masked(tokens: int = 50_000) -> Masked:
    text = Tokens(np.random.default_rng(0).integers(WORDS, size=tokens))
    return Masked(Mixture({"text": text}, {"text": 1.0}), MASK, WORDS)


def test_hidden_words_are_those_that_stood_there():
    texts = masked()
    ids, targets, places = texts.batch(8, 40, seed=3, draw=5)
    whole = texts.texts.batch(8, 40, seed=3, draw=5)[0]
    assert targets.shape == places.shape == (8, 6)
    assert (np.take_along_axis(whole, places, 1) == targets).all()
    assert all(len(set(row)) == 6 for row in places.tolist())
    changed = ids != whole
    np.put_along_axis(changed, places, False, axis=1)
    assert not changed.any()


def test_hidden_words_depend_on_seed_and_draw_alone():
    first, again, other = (masked().batch(8, 40, 3, draw) for draw in (5, 5, 6))
    assert all(np.array_equal(a, b) for a, b in zip(first, again))
    assert not np.array_equal(first[2], other[2])
    assert not np.array_equal(first[2], masked().batch(8, 40, 4, 5)[2])


def test_most_are_hidden_some_swapped_some_left():
    ids, targets, places = masked().batch(500, 40, 0, 0)
    shown = np.take_along_axis(ids, places, 1)
    hidden, left = (shown == MASK).mean(), (shown == targets).mean()
    assert hidden == pytest.approx(HIDDEN, abs=0.03)
    assert left == pytest.approx(1 - HIDDEN - SWAPPED, abs=0.03)


def test_what_stands_after_a_text_changes_nothing(plain_variant, arrays_of):
    """A class is the same whether its text was filled up or not, in a model that reads both ways."""
    from regard.attending.masks import both

    variant = plain_variant.but(norm="layer", mlp="gelu", positions="learned", layers="2layers")
    network = Network(variant.settings(), arrays_of(variant, 1), both)
    short = torch.tensor([[3, 0, 4]])
    alone = network(short, places=torch.tensor([[2]]), lengths=torch.tensor([3]))
    filled = torch.tensor([[3, 0, 4, 9, 9], [1, 7, 2, 12, 0]])
    together = network(filled, places=torch.tensor([[2], [4]]), lengths=torch.tensor([3, 5]))
    assert torch.allclose(alone[0], together[0], atol=1e-6)
    seen = network(filled, places=torch.tensor([[2], [4]]), lengths=torch.tensor([5, 5]))
    assert not torch.allclose(alone[0], seen[0], atol=1e-3)


def test_a_long_text_keeps_its_beginning_and_its_end_token():
    examples = Examples(np.array([5, 6, 7, 8, 0, 9, 0]), np.array([0, 5, 7]), np.array([1, 0]))
    ids, targets, places, lengths = examples.rows(np.array([0, 1]), window=3)
    assert ids.tolist() == [[5, 6, 0], [9, 0, 0]]
    assert targets.tolist() == [[1], [0]] and places.tolist() == [[2], [1]] and lengths.tolist() == [3, 2]


# whole runs


@pytest.fixture(scope="module")
def reviews(tmp_path_factory):
    """Sixty texts of two classes: which one a word in the middle says."""
    file = tmp_path_factory.mktemp("reviews") / "reviews.csv"
    rows = [f'"the film, {word} it was, number {i % 7}",{label}' for i in range(30) for word, label in
            (("good", "yes"), ("bad", "no"))]  # fmt: skip
    file.write_text("\n".join(["text,label", *rows]) + "\n", encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def runs(tmp_path_factory, text_file, reviews, tiny):
    folder = tmp_path_factory.mktemp("tasks")
    for task, path in (("masked", text_file), ("classify", reviews)):
        assert run(["train", str(path), "--task", task, "--out", str(folder / task), *tiny]) == 0
    return folder


@pytest.mark.parametrize("task", ["masked", "classify"])
def test_a_run_goes_on_bit_for_bit(task, runs, tmp_path, text_file, reviews):
    """From the checkpoint before the last: the same parameters and losses as the run that was not stopped."""
    again = tmp_path / task
    shutil.copytree(runs / task, again)
    shutil.rmtree(again / "checkpoints" / name_of(6))
    assert run(["train", str(text_file if task == "masked" else reviews), "--out", str(again), "--resume"]) == 0
    ours, theirs = (checkpoint.load(folder) for folder in (again, runs / task))
    assert ours.step == theirs.step == 6 and ours.config == theirs.config
    assert all(torch.equal(ours.model[name], theirs.model[name]) for name in theirs.model)
    assert (again / "losses.jsonl").read_bytes() == (runs / task / "losses.jsonl").read_bytes()


def test_a_masked_run_is_looked_into_and_says_what_the_network_says(runs):
    model = find_model(str(runs / "masked"))
    trace = model.run("the fox [MASK] a cat")
    assert trace.info["task"] == "masked" and trace.info["mask"] == "both"
    place = trace.info["tokens"].index("[MASK]")
    assert trace.info["query"] == place
    network = Network(model.settings, model.parameters, _both())
    ids = torch.tensor([[model.reads.index(w) for w in trace.info["tokens"]]])
    with torch.no_grad():
        logits = network(ids, places=torch.tensor([[place]]))[0, 0]
    np.testing.assert_allclose(trace.array("logits"), logits.double().numpy(), atol=1e-5)


def test_a_classifier_is_looked_into_and_says_what_the_network_says(runs):
    model = find_model(str(runs / "classify"))
    trace = model.run("the film, good it was", next="yes")
    assert set(model.writes) == {"no", "yes"} and trace.info["tokens"][-1] == "<|endoftext|>"
    assert trace.info["text"] == "the film, good it was"
    network = Network(model.settings, model.parameters, _both())
    ids = torch.tensor([[model.reads.index(w) for w in trace.info["tokens"]]])
    with torch.no_grad():
        logits = network(ids, places=torch.tensor([[ids.shape[1] - 1]]))[0, 0]
    np.testing.assert_allclose(trace.array("logits"), logits.double().numpy(), atol=1e-5)
    assert np.isfinite(trace.backward().array("layer0.W_Q.grad")).all()


def _both():
    from regard.attending.masks import both

    return both


def test_a_class_is_learned(tmp_path, reviews, set_options, capsys):
    settings = ["width=16", "layers=1", "heads=2", "vocabulary=300", "window=32", "batch=16", "updates=60",
                "rate=5e-3", "evaluate_every=60", "evaluate_batches=1"]  # fmt: skip
    options = set_options(settings)
    assert run(["train", str(reviews), "--task", "classify", "--out", str(tmp_path / "run"), *options]) == 0
    assert "6 of 6 texts held out are put into their class" in capsys.readouterr().out


def test_folders_are_classes(tmp_path):
    for label, texts in {"b": ["one", "two"], "a": ["three", "four"]}.items():
        (tmp_path / label).mkdir()
        for i, text in enumerate(texts):
            (tmp_path / label / f"{i}.txt").write_text(text)
    found = read_labelled([tmp_path])
    assert found.classes == ("a", "b")
    assert dict(zip(found.documents, found.labels)) == {"three": 0, "four": 0, "one": 1, "two": 1}


def test_columns_are_found_by_name_or_by_repetition(tmp_path):
    file = tmp_path / "table.tsv"
    file.write_text("what\tkind\nred apple\tfruit\ngreen pear\tfruit\nold car\tthing\nnew bus\tthing\n")
    assert read_labelled([file]).classes == ("fruit", "thing")
    file = tmp_path / "table.csv"
    file.write_text("id;label;text\n1;x;a b\n2;y;c d\n3;x;e f\n4;y;g, h\n")
    found = read_labelled([file])
    assert found.documents == ("a b", "c d", "e f", "g, h") and found.classes == ("x", "y")


BAD = {
    "no table": ("notes.txt", "text", "is no table"),
    "an empty table": ("a.csv", "", "has no rows"),
    "only a header": ("a.csv", "text,label\n", "no rows under its header"),
    "one class": ("a.csv", "text,label\na,x\nb,x\n", "has 1 classes"),
    "one text of a class": ("a.csv", "text,label\na,x\nb,x\nc,y\n", "the class 'y' has one text only"),
    "unknown columns": ("a.csv", "a,b,c\n1,2,3\n4,5,6\n", "call the two that are meant text and label"),
    "a short row": ("a.csv", "text,label\na,x\nb\n", "row 3 has 1 columns"),
    "an open quote": ("a.csv", 'text,label\n"a,x\n', "is not a table that can be read"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_tables_get_one_clear_line(case, tmp_path, capsys):
    name, content, said = BAD[case]
    (tmp_path / name).write_text(content)
    assert run(["train", str(tmp_path / name), "--task", "classify", "--out", str(tmp_path / "run")]) == 2
    told = capsys.readouterr().err
    assert said in told and len(told.strip().splitlines()) == 1 and "Traceback" not in told
    assert not (tmp_path / "run" / "checkpoints").exists()


def test_rows_that_are_left_out_are_counted_and_said(tmp_path, tiny, capsys):
    file = tmp_path / "reviews.csv"
    rows = ["good,yes"] * 5 + ["bad,no"] * 5 + [",yes", "  ,no", "fine,", ",", "", 'it ends <|endoftext|> here,"no"']
    file.write_text("text,label\n" + "\n".join(rows) + "\n")
    found = read_labelled([file])
    said = f"4 of the 15 rows of {file} are left out: 2 without a text, 1 without a class, 1 without either"
    assert found.notes == (said,)
    assert len(found.documents) == 11 and found.documents[-1] == "it ends <|endoftext|> here"
    assert run(["train", str(file), "--task", "classify", "--out", str(tmp_path / "run"), *tiny]) == 0
    assert said in capsys.readouterr().out
    file.write_text("text,label\n" + "\n".join(rows[:10]) + "\n")
    assert read_labelled([file]).notes == ()
