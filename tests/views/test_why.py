"""The screen of one number: measurements open as steps do, and say what they mean."""

import re

import pytest

from regard.cli.main import run
from regard.lens.measurements import MEASUREMENTS, NUMBERED, measurement
from regard.models.catalogue import find_model

# a number of every family that can be measured
ONE_OF_EACH = {
    "margin": "margin",
    "toward": "x.toward[fox,0]",
    "direct": "context.direct[fox,0]",
    "contribution": "contribution[fox,fox]",
    "without": "without.change[quick]",
    "says": "embedding.says.probabilities[jumps]",
    "ratio": "blame.W_Q.ratio",
    "blame": "blame.W_K",
    "after": "after.probabilities[jumps]",
    "guessing": "guessing",
    "flow": "flow.words[brown]",
    "sent": "sent[fox,quick]",
    "entropy": "entropy[fox]",
    "distance": "distance[brown]",
    "sum": "weights.sum[fox]",
    "sentence": "sentence[1]",
    "received": "received[quick]",
    "average_word": "average_word[fox]",
    "others": "others[fox,quick]",
    "alike3": "layer0.alike3[fox]",
    "reads": "layer0.reads.previous[0]",
    "near3": "near3.cosine[quick]",
    "slope": "E.slope[fox,0]",
    "instead": "instead.both.change",
    "by_gradient": "by_gradient[fox,quick]",
    "rollout": "rollout.place[fox]",
    "layer0.cut0_3_3": "layer0.cut0_3_3.lost",
    "gravity3": "gravity3.way.size",
    "probabilities.rest2": "probabilities.rest2",
    "weights.rest2": "weights.rest2[0]",
    "contribution.rest0": "contribution.rest0",
    "flow.biases.rest0": "flow.biases.rest0",
    "flow.rest1": "layer0.flow.rest1",
    "flow.words.rest1": "flow.words.rest1",
    "layer0.cut3_1": "layer0.cut3_1.lost",
}


def test_there_is_one_of_each():
    assert [m.name for m in MEASUREMENTS if m.name not in ONE_OF_EACH] == []
    assert [m.pattern for m in NUMBERED if not any(map(m.found_in, ONE_OF_EACH))] == []


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_why_opens_every_measurement_and_says_what_it_means(name, capsys):
    assert run(["why", ONE_OF_EACH[name]]) == 0
    first, *rest = capsys.readouterr().out.splitlines()
    fox = find_model("fox")
    value = fox.run(fox.sentence, fox.next).backward()[ONE_OF_EACH[name]]
    assert float(re.search(r"= (-?[\d.e-]+)", first).group(1)) == pytest.approx(value, abs=1e-4)
    said, meaning = " ".join(line.strip() for line in rest), measurement(name)
    assert meaning.says in said
    assert (f"(unit: {meaning.unit})" in said) == bool(meaning.unit)


def test_a_step_of_the_run_itself_is_not_called_a_measurement(capsys):
    assert run(["why", "weights[fox,fox]"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


@pytest.mark.parametrize("width", [60, 80])
def test_a_sum_that_is_longer_than_the_screen_is_broken_before_its_terms(width, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "1000")
    command = ["why", "concat[sat,2]", "--model", "four-heads", "--depth", "3"]
    assert run(command) == 0
    wide = capsys.readouterr().out
    monkeypatch.setenv("COLUMNS", str(width))
    assert run(command) == 0
    narrow = capsys.readouterr().out
    assert max(map(len, narrow.splitlines())) <= width < max(map(len, wide.splitlines()))
    continued = [line.strip() for line in narrow.splitlines() if line.strip().startswith("+ ")]
    assert len(continued) > 5 and all(
        re.fullmatch(r"\+ \S+( \+ \S+)*( \+ … 2 more)?|\+ … 2 more", c) for c in continued
    )
    assert narrow.split().count("+") == wide.split().count("+"), "nothing is lost"
