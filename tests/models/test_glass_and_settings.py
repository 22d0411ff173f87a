"""Settings, parameters and models refuse what cannot be, in words; toys take new words."""

import json

import numpy as np
import pytest
import torch

from regard.attending.positions import LearnedPositions, RotaryPositions
from regard.attending.stretching import ByFactors
from regard.models.description import described, settings_of
from regard.models.glass import Glass
from regard.models.parameters import checked, random_parameters, shapes
from regard.models.parts import MLP, GatedMLP
from regard.models.settings import Settings
from regard.text.words import fresh_vector
from regard.toys.shipped import shipped


@pytest.mark.parametrize(
    "changed, said",
    [
        ({"width": 7}, "the width 7 cannot be divided among 2 heads"),
        ({"heads": 0}, "heads must be at least 1, got 0"),
        ({"kv_heads": 3}, "2 heads cannot share 3 key/value heads evenly"),
        ({"kv_heads": 0}, "cannot share 0"),
        ({"scaling": "cube"}, "unknown scaling 'cube'"),
        ({"norm_order": "during"}, "unknown norm order 'during'"),
        ({"tied": True}, "need reads and writes to be equal, got 5 and 7"),
        ({"output_projection": False, "head_width": 5}, "the stream, 6; 2 heads of 5 make 10"),
        ({"layers": 0}, "layers must be at least 1"),
        ({"window": -1}, "a window must be 0 or more"),
        ({"cap": 0.0}, "cap must be a number above 0"),
        ({"logit_cap": -2.0}, "logit_cap must be a number above 0"),
        ({"arrangement": "above"}, "unknown arrangement 'above'"),
        ({"arrangement": "beside", "norm_order": "after"}, "need norms before"),
        ({"arrangement": "beside", "residual": False}, "the stream that they add to"),
    ],
)
def test_settings_that_cannot_be_are_refused(changed, said):
    with pytest.raises(ValueError, match=said):
        Settings(**{"width": 6, "heads": 2, "reads": 5, "writes": 7, **changed})


@pytest.mark.parametrize("part", [MLP, GatedMLP])
def test_an_unknown_activation_is_refused(part):
    with pytest.raises(ValueError, match="unknown activation 'sine'; choose one of gelu, gelu_tanh, silu, relu, tanh"):
        part(11, "sine")


def test_parameters_that_do_not_fit_are_named():
    settings = Settings(width=6, heads=2, reads=5, writes=7)
    arrays = random_parameters(settings)
    assert list(checked(settings, arrays)) == list(shapes(settings))
    with pytest.raises(ValueError, match=r"missing: \['E'\], left over: \['F'\]"):
        checked(settings, {("F" if n == "E" else n): a for n, a in arrays.items()})
    with pytest.raises(ValueError, match=r"W_out expects the shape \(7, 6\) with these settings, got \(6, 7\)"):
        checked(settings, arrays | {"W_out": arrays["W_out"].T})


def test_random_parameters_are_the_same_for_the_same_seed():
    settings = Settings(width=6, heads=2, reads=5, writes=7)
    one, same, other = (random_parameters(settings, seed) for seed in (1, 1, 2))
    assert all(np.array_equal(one[n], same[n]) for n in one)
    assert not any(np.array_equal(one[n], other[n]) for n in one)
    assert np.std(random_parameters(Settings(width=500, heads=1, reads=5, writes=7))["layer0.W_Q"]) == pytest.approx(
        500**-0.5, rel=0.01
    )


def test_shapes_that_do_not_meet_are_found_where_the_step_has_a_name():
    do = Glass()
    x = do.given("x", np.ones((3, 5)), "TC")
    with pytest.raises(ValueError, match="the axis C has 5 cells in one input, 7 in another"):
        do.heads("q", x, do.given("W_Q", np.ones((2, 7, 4)), "HCD"), None, "HQD")
    with pytest.raises(ValueError, match="W maps F to C, but x ends in C"):
        do.linear("mlp", x, do.given("W", np.ones((7, 5)), "FC"))


def test_a_text_longer_than_the_learned_positions_is_refused():
    do = Glass()
    x = do.given("x", np.ones((4, 2)), "TC")
    with pytest.raises(ValueError, match="this model reads at most 3 tokens, got 4"):
        LearnedPositions(3).place(do, x, {"position": do.given("position", np.ones((3, 2)), "PC")})


def test_a_model_takes_words_it_does_not_know():
    trace = shipped("fox").run("The quick brown zebra", "sleeps")
    assert trace.info["fresh"] == ["zebra", "sleeps"]
    assert trace.step("E").shape == (5, 2) and trace.step("W_out").shape == (5, 2)
    assert trace.labels.words["I"][-1] == "zebra" and trace.labels.words["V"][-1] == "sleeps"
    again = shipped("fox").run("The quick brown zebra", "sleeps")
    assert np.array_equal(trace.array("probabilities"), again.array("probabilities"))
    assert shipped("fox").run("The quick brown fox").info["fresh"] == []


def test_no_made_up_vector_is_one_of_the_toys_own():
    """By its SHA-256 alone, zebra would be fox."""
    trace = shipped("fox").run("The quick zebra fox", "zebra")
    for table in ("E", "W_out"):
        *own, made_up = trace.array(table).tolist()
        assert made_up not in own


def test_a_toy_with_a_word_at_every_tenth_has_room_for_another():
    tenths = np.arange(10)[:, None] / 10
    for word in ("zebra", "quokka", "yak"):
        assert fresh_vector(word, tenths).item() not in tenths
        assert fresh_vector(word, tenths[:0]).item() in tenths


def test_a_model_says_what_it_cannot_read():
    with pytest.raises(ValueError, match="the text has no words"):
        shipped("fox").run("   ")
    with pytest.raises(ValueError, match="reads at most 64"):
        shipped("fox").run("fox " * 65)
    with pytest.raises(ValueError, match="the next word must be one word"):
        shipped("fox").run("The", "jumps over")
    with pytest.raises(KeyError, match="no mask 'casual'; did you mean causal"):
        shipped("fox").run("The quick", mask="casual")
    with pytest.raises(ValueError, match="the text has no words"):
        shipped("three-words").run("\u200b")


def test_the_query_may_be_another_word():
    trace = shipped("fox").run("The quick brown fox", "jumps", query="quick")
    np.testing.assert_array_equal(trace.array("read"), trace.array("attended")[1])
    assert trace.info["query"] == 1


def test_looking_both_ways_shows_the_future():
    trace = shipped("fox").run("The quick brown fox", "jumps", mask="both")
    assert (trace.array("weights") > 0).all()
    assert (shipped("fox").run("The quick brown fox").array("weights")[0][np.triu_indices(4, 1)] == 0).all()


def test_without_a_next_word_there_is_a_prediction_and_no_loss():
    trace = shipped("fox").run("The quick brown fox")
    assert trace.predicted == "fox" and "loss" not in trace


def test_factors_of_frequencies_are_written_read_and_the_same_in_torch():
    turning = RotaryPositions(50.0, stretch=ByFactors((1.0, 3.0, 7.0)))
    settings = Settings(width=6, heads=1, reads=3, writes=3, positions=turning)
    assert settings_of(json.loads(json.dumps(described(settings)))) == settings
    expected = [50.0 ** (-i / 3) / factor for i, factor in enumerate((1.0, 3.0, 7.0))]
    for pairs in (np.arange(3), torch.arange(3, dtype=torch.float64)):
        assert np.allclose(turning.frequency(pairs, 3), expected, rtol=1e-14)
    with pytest.raises(ValueError, match="4 numbers turn in 2 pairs, but 3 of them have a factor"):
        turning.angles(2, 4)


@pytest.mark.parametrize("factors", [[1.0, "2"], [0.0], 3, None])
def test_factors_that_are_no_numbers_are_refused(factors):
    written = described(Settings(width=6, heads=1, reads=3, writes=3, positions=RotaryPositions(50.0)))
    written["positions"]["stretch"] = {"kind": "by factors", "factors": factors}
    with pytest.raises(ValueError, match=r"factors = .*, which is not possible"):
        settings_of(written)
