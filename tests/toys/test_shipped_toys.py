"""The toys that come with regard are data, and give the numbers of the documents."""

import hashlib
import math
import re

import numpy as np
import pytest

import regard
from regard.lessons.cat import SCALED, SCORES
from regard.lessons.matrix import PRINTED, SENTENCE
from regard.lessons.reachable import bias_by_distance, query_matrix
from regard.models.names import TOYS
from regard.toys.shipped import EXAMPLE, FOLDER, shipped
from regard.trace.whatif import scaled_by


def close(actual, printed, decimals):
    np.testing.assert_allclose(np.asarray(actual), printed, rtol=0, atol=0.5 * 10**-decimals + 1e-12)


def run_of(name):
    toy = shipped(name)
    return toy.run(toy.sentence, toy.next)


def test_every_file_is_a_toy_and_every_toy_a_file():
    assert {path.stem for path in FOLDER.glob("*.toml")} == {*TOYS, EXAMPLE.stem}


@pytest.mark.parametrize("name", TOYS)
def test_every_toy_explains_itself_opens_and_learns(name):
    toy = shipped(name)
    text = str(trace := regard.explain(toy.sentence, next=toy.next or toy.writes[0], model=toy))
    assert "3-5 SCORE" in text and toy.title in text
    assert trace.update(rate=0.01)["loss"] < trace["loss"]
    for step in trace.forward:
        if step.shape and min(step.shape) > 0 and step.name != "tokens":
            assert trace.why(f"{step.name}[{','.join('0' * len(step.shape))}]").text(4)


# what the toys of the first edition were computed as, to the last bit: every step of every run
FIRST_EDITION = {
    "fox": "d51b623100538927",
    "three-words": "4d6904f2263e24d7",
    "two-heads": "0965b80d0855e6a8",
    "fruit-or-company": "a7eee31c42f589e6",
    "untrained": "a36b80ea06eac6a4",
}


@pytest.mark.parametrize("name, digest", FIRST_EDITION.items())
def test_the_parameters_of_the_first_edition_are_unchanged(name, digest):
    found = hashlib.sha256()
    for parameter, array in sorted(shipped(name).parameters.items()):
        found.update(f"{parameter} {array.shape}".encode())
        found.update(np.ascontiguousarray(array, "<f8").tobytes())
    assert found.hexdigest()[:16] == digest


# the numbers in the files come from somewhere


def test_the_bias_of_the_fox_and_the_query_matrix_of_three_words_are_the_computed_ones():
    for name in ("fox", "fox-with-pizza", "fox-with-eats"):
        np.testing.assert_allclose(shipped(name).parameters["position"], bias_by_distance(), rtol=0, atol=1e-15)
    wanted = query_matrix(np.log([0.2, 0.3, 0.5]) * math.sqrt(2))
    np.testing.assert_allclose(shipped("three-words").parameters["layer0.W_Q"][0], wanted, rtol=0, atol=1e-14)


# D4: the fox's other vocabularies


def test_the_fox_with_pizza_has_the_same_numbers_and_says_fox():
    trace = run_of("fox-with-pizza")
    close(trace.array("logits"), [0.435, 0.381, 0.672, 0.6045], 12)
    close(trace.array("probabilities"), [0.227294, 0.215346, 0.288082, 0.269278], 6)
    assert trace.predicted == "fox" and trace.labels.words["V"] == ("apple", "run", "fox", "pizza")


def test_the_fox_with_eats_says_eats_and_after_one_update_jumps():
    trace = run_of("fox-with-eats").backward()
    assert trace.predicted == "eats" and trace.info["next"] == "jumps"
    assert trace.update(rate=0.1).predicted == "jumps"


# D1: the cat from its scores


def test_the_cat_begins_at_its_scores():
    trace = run_of("cat")
    assert trace.array("scores")[0, 2].tolist() == SCORES.tolist()
    assert trace.array("scaled")[0, 2].tolist() == SCALED.tolist()
    close(trace.array("weights")[0, 2], [0.090031, 0.244728, 0.665241], 6)
    np.testing.assert_array_equal(trace.array("context")[0, 2], trace.array("weights")[0, 2])
    close(scaled_by(trace, "none").array("weights")[0, 2], [0.0159, 0.1173, 0.8668], 4)
    assert str(trace.why("scaled[sat,cat]")) == "scaled[sat,cat] = 2.00 = 4.00 / √4"
    assert trace.array("weights")[0, :2].tolist() == [[0.0] * 3] * 2, "the rows that were not given read nothing"


def test_given_scores_have_gradients_and_are_not_learned():
    trace = shipped("cat").run("the cat sat", "cat").backward()
    assert np.abs(trace.array("scores.grad")[0, 2]).min() > 0
    assert "layer0.given_scores" not in trace.parameters
    assert trace.update(rate=0.5).array("scores")[0, 2].tolist() == SCORES.tolist()


@pytest.mark.parametrize("text", ["The cat sat.", "the cat sat.", "The cat sat"])
def test_the_sentence_of_the_cat_may_be_written_as_sentences_are(text):
    trace = shipped("cat").run(text)
    assert trace.labels.words["K"] == ("the", "cat", "sat")
    assert trace.array("scores")[0, 2].tolist() == SCORES.tolist()


def test_words_that_a_toy_knows_with_and_without_a_capital_stay_two():
    assert shipped("apple").asked("Apple ate apple").words == ("Apple", "ate", "apple")
    assert shipped("untrained").asked("The fox").words == ("The", "fox")
    assert shipped("cat").asked("the cat sat. The cat").words == ("the", "cat", "sat", ".", "the", "cat")
    assert shipped("fox").asked("the quick fox").words == ("the", "quick", "fox"), (
        "a word is looked for small, not large"
    )
    own = regard.toy(words={"yes": [1.0], ".": [2.0]})
    assert own.asked("Yes.").words == ("yes", "."), "a full stop that the toy knows is a word"


# D2: the matrix from its weights, and four heads


def test_the_matrix_begins_at_its_weights():
    trace = run_of("matrix")
    assert tuple(trace.labels.words["K"]) == SENTENCE
    for word, (_, row, printed) in PRINTED.items():
        np.testing.assert_allclose(trace.array("weights")[0, int(row)], np.array(printed, float), rtol=3e-16)
        assert trace.labels.words["Q"][int(row)] == word
    later = {w: trace.array("weights")[0, int(r), int(r) + 1 :].sum() for w, (_, r, _) in PRINTED.items()}
    close(list(later.values()), [0.60, 0.35, 0.10, 0], 12)
    assert not trace.array("weights")[0, 2].any(), "a row that is not printed"
    np.testing.assert_array_equal(trace.array("context")[0, 6], trace.array("weights")[0, 6])


def test_a_hidden_word_of_the_matrix_leaves_its_share_to_the_others():
    trace = run_of("matrix").hide("cat")
    assert trace["weights[sat,cat]"] == 0
    assert trace.array("weights")[0, 6].sum() == pytest.approx(1, abs=1e-15)
    assert trace["weights[sat,yesterday]"] == pytest.approx(0.10 / 0.40)


def test_four_heads_have_the_weights_of_the_document():
    trace = run_of("four-heads")
    sat = trace.array("weights")[:, 6]
    close(sat[0, 1], 0.60, 12)
    close(sat[1, 9], 0.55, 12)
    close(sat[2, 5], 0.45, 12)
    close(sat[3, [6, 7]], [0.30, 0.25], 12)
    assert [trace.labels.words["K"][i] for i in sat.argmax(axis=1)] == ["cat", "mat", "yesterday", "sat"]
    np.testing.assert_allclose(sat.sum(axis=1), 1)


def test_four_heads_side_by_side_times_W_O_is_what_is_added_to_the_word():
    trace = run_of("four-heads")
    concat, W_O = trace.array("concat"), trace.array("W_O")
    assert concat.shape == (10, 8)
    for head in range(4):
        np.testing.assert_array_equal(concat[:, 2 * head : 2 * head + 2], trace.array("context")[head])
    np.testing.assert_allclose(concat @ W_O.reshape(8, 8), trace.array("attended"), rtol=0, atol=1e-15)
    np.testing.assert_array_equal(trace.array("x") + trace.array("attended"), trace.array("residual"))
    close(concat[6, ::2], [0.60, 0.55, 0.45, 0.30], 12)


def test_one_head_alone_says_something_else():
    trace = run_of("four-heads")
    assert trace.predicted == "resting"
    for head, word in enumerate(("hunting", "lying", "waiting")):
        alone = np.zeros_like(trace.array("by_head"))
        alone[head] = trace.array("by_head")[head]
        assert trace.pin("by_head", alone).predicted == word


# D3: apple as written


def test_apple_has_the_scores_of_the_document_exactly():
    trace = shipped("apple").run("apple orange phone the")
    assert trace.array("scores")[0, 0].tolist() == [1.5, 12.0, 0.0, 0.3]
    close(trace["weights[apple,orange]"], 0.999958, 6)
    close(scaled_by(trace, "root")["weights[apple,orange]"], 0.9812, 4)
    assert trace.step("q").shape[-1] == 5
    exps = [math.exp(score) for score in (1.5, 12.0, 0.0, 0.3)]
    close(trace["weights[apple,orange]"], exps[1] / sum(exps), 12)


def test_the_shares_in_the_notes_of_apple_are_those_of_the_sentences_beside_them():
    toy = shipped("apple")
    told = {quoted[1]: re.findall(r"([\d.]+)%", note) for note in toy.notes if (quoted := re.search('"(.+)"', note))}
    assert [*told] == ["apple orange phone the", toy.sentence]
    for sentence, (written, divided, *_) in told.items():
        trace = toy.run(sentence)
        for run, share in ((trace, written), (scaled_by(trace, "root"), divided)):
            close(100 * run["weights[apple,orange]"], float(share), len(share.partition(".")[2]))


def test_apple_matches_by_category_and_passes_on_what_follows():
    trace = shipped("apple").run("apple orange phone the")
    q, k, v = (trace.array(name)[0] for name in "qkv")
    assert not q[:, 3:].any() and not k[:, 3:].any() and not v[:, :3].any(), "two spaces without a common direction"
    added = trace.array("residual")[0] - trace.array("x")[0]
    names = trace.labels.words["C"]
    assert {names[i] for i in np.flatnonzero(added)} == {"eaten", "sold"}
    close(added[names.index("eaten")], 0.99996 + 0.5 * 0.0000275, 5)


def test_apple_and_its_capital_ask_for_different_things():
    toy = shipped("apple")
    assert toy.run(toy.sentence).predicted == "pie"
    company = toy.run("Apple unveiled a new phone")
    assert company.labels.words["Q"][company.info["query"]] == "Apple", "the word that predicts, as this text has it"
    assert company.predicted == "store"
    assert company["scores[Apple,phone]"] == 12.0 and company["weights[Apple,phone]"] > 0.999


def test_what_four_heads_says_of_each_head_alone_is_so():
    model = shipped("four-heads")
    run = model.run(model.sentence)
    said = {}
    for head, name in enumerate(run.labels.words["H"]):
        context = np.zeros_like(run.array("context"))
        context[head] = run.array("context")[head]
        shares = run.pin("context", context).array("probabilities")
        said[name] = run.labels.words["V"][int(shares.argmax())] if np.ptp(shares) > 1e-9 else "nothing"
    assert said == {"who": "hunting", "where": "lying", "when": "waiting", "local": "nothing"}
    assert all(f"{name} " in model.notes[2] and word in model.notes[2] for name, word in said.items())
