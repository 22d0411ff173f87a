"""Lessons about learning: frames over updates, angles, the order of blame, and what is known of unseen words."""

import json
import math
import re
from itertools import pairwise

import numpy as np
import pytest

import regard
from regard.cli.main import run
from regard.lessons import LESSONS, lesson
from regard.lessons.backward import BACKWARD, FORWARD
from regard.lessons.kinds import UNSEEN, held_out, trained, untrained, vectors
from regard.lessons.measures import MATRICES, angle, degrees, exchanged, follows, loss
from regard.session import worked
from regard.session.hosting import _without_what_follows as without_what_follows


@pytest.fixture(scope="module")
def fox():
    return lesson("pressure").make()


def test_one_update_lowers_quick_and_raises_fox(fox):
    _, after = fox.updates(1)
    assert [round(run["scores[fox,quick]"], 4) for run in (fox, after)] == [0.38, 0.3771]
    assert [round(run["scores[fox,fox]"], 4) for run in (fox, after)] == [1.0, 1.0117]


def test_frames_are_updates_one_after_another(fox):
    by_hand = fox.update(0.2, ["W_Q"]).update(0.2, ["W_Q"])
    *_, last = fox.updates(2, 0.2, (name for name in ["W_Q"]))  # names may come from anywhere, once
    assert last.array("W_Q").tolist() == by_hand.array("W_Q").tolist() != fox.array("W_Q").tolist()
    assert last.array("W_V").tolist() == fox.array("W_V").tolist()
    assert [frame is fox for frame in fox.updates(0)] == [True]
    with pytest.raises(ValueError, match="updates expects 0 or more, got -1"):
        list(fox.updates(-1))


def test_every_number_of_a_film_can_be_opened_in_its_frame():
    trace = regard.explain("The quick brown fox", next="jumps")
    for frame in trace.updates(2):
        why = frame.why("scores[fox,quick]")
        assert len(why.cells) == 4 and {cell.step for cell in why.cells} <= set(frame.forward)


def test_angles_by_definition(fox):
    *_, last = fox.updates(10)
    for one in MATRICES:
        for other in MATRICES:
            a, b = last.array(one).ravel(), last.array(other).ravel()
            by_definition = math.degrees(math.acos(min(1.0, a @ b / math.hypot(*a) / math.hypot(*b))))
            assert angle(last, one, other) == pytest.approx(by_definition, abs=1e-5)
            assert angle(fox, one, other) == 0
    assert degrees(np.array([1.0, 0.0]), np.array([-2.0, 0.0])) == pytest.approx(180)


def test_exchanging_twice_changes_nothing(fox):
    *_, last = fox.updates(10)
    once = exchanged(last, "W_K", "W_V")
    assert loss(once) > loss(last) and loss(exchanged(once, "W_K", "W_V")) == loss(last)


def test_blame_follows_the_list_of_the_document_and_not_the_reverse():
    trace = lesson("backward").make()
    path = ("logits.grad", "context.grad", "weights.grad", "scores.grad", "q.grad", "W_Q.grad")
    for earlier, later in pairwise(path):
        assert follows(trace.step(later), trace.step(earlier)) and not follows(trace.step(earlier), trace.step(later))
    assert not follows(trace.step("scores.grad"), trace.step("v.grad")), "values and scores part at the context"
    assert [line for line, *_ in (*FORWARD, *BACKWARD)] == [*range(326, 332), *range(338, 342)]


def test_the_screen_lays_the_way_back_out_in_that_order(capsys):
    assert run(["explain", "The quick brown fox", "--next", "jumps"]) == 0
    screen = capsys.readouterr().out
    order = [screen.index(name) for name in ("∂logits", "∂context", "∂v", "∂weights", "∂scores", "∂q", "∂k", "|grad|")]
    assert order == sorted(order) and "jumps -0.7307" in screen and "0.1907 -0.3678" in screen


def test_unseen_subjects_are_found_by_their_kind_and_not_without_one():
    assert min(held_out(seed, "kinds")[0] for seed in range(3)) > 0.8
    assert held_out(0, "kinds")[1] == 1.0
    assert np.median([held_out(seed, "anywhere")[0] for seed in range(5)]) < 0.5
    # real vectors lie between: better than anywhere, from every beginning
    assert min(held_out(seed, "real")[0] for seed in range(3)) > max(held_out(seed, "anywhere")[0] for seed in range(3))
    assert held_out(0, "real")[1] == 1.0


def test_only_w_q_and_w_k_have_learned_and_no_unseen_word_was_read():
    E = vectors()
    before, after = untrained(E).parameters, trained(E).parameters
    moved = {name for name in before if not np.array_equal(before[name], after[name])}
    assert moved == {"layer0.W_Q", "layer0.W_K"}
    assert not {word for pair in UNSEEN for word in pair} & {"The", "cat", "sat"}


@pytest.mark.parametrize("name", [name for name in LESSONS if lesson(name).frames])
def test_frames_on_screen_are_the_numbers_of_their_runs(name, capsys):
    found = lesson(name)
    assert run(["lesson", name]) == 0
    printed = capsys.readouterr().out
    for frames in found.frames(found.make()):
        assert frames.title in printed
        for label, numbers in frames.rows():
            assert all(map(math.isfinite, numbers))
            line = [f"{label}", *(format(v, c.form) for v, c in zip(numbers, frames.columns, strict=True))]
            assert any(set(line) <= set(row.split()) for row in printed.splitlines()) or len(line) > 8


def test_the_page_is_told_the_frames_as_the_terminal_prints_them(capsys):
    assert run(["lesson", "pressure"]) == 0
    screen = capsys.readouterr().out
    for told in (worked.whole("pressure"), without_what_follows(worked.whole("pressure"))):  # served, and of a site
        films = json.loads(told)["frames"]
        assert [film["title"] in screen for film in films] == [True] * 4
        for film in films:
            assert film["by"] == "update" and [row["name"] for row in film["rows"]][:3] == ["0", "1", "2"]
            for row in film["rows"]:
                assert [format(v, f".{len(w.partition('.')[2])}f") for v, w in zip(row["values"], row["written"])] == (
                    row["written"]
                )
                assert re.search(rf"(?m)^ +{row['name']} +{' +'.join(map(re.escape, row['written']))}$", screen)
    assert {column["panel"] for column in films[0]["columns"]} == {"loss", "q·k", "α"}


def test_a_knob_turned_to_where_it_was_changes_nothing():
    for name in ("cat", "root"):
        found = lesson(name)
        width = found.make().array("k").shape[-1] if name == "root" else 4
        assert found.knob.make(width).array("weights").tolist() == found.make().array("weights").tolist()


def test_scaled_scores_do_not_depend_on_d_k_but_unscaled_ones_do(capsys):
    make = lesson("root").knob.make
    runs = [make(width) for width in (16, 64, 256)]
    assert [run["scaled[sat,sat]"] for run in runs] == [2.5] * 3
    assert [run["scores[sat,sat]"] for run in runs] == [10, 20, 40]
    assert run(["lesson", "root", "--turn", "64"]) == 0 and "d_k = 64" in capsys.readouterr().out
    for arguments, said in {("root", "2"): "d_k expects a number from 4", ("fox", "3"): "has no knob to turn"}.items():
        assert run(["lesson", arguments[0], "--turn", arguments[1]]) == 2
        assert said in capsys.readouterr().err
