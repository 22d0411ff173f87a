"""Masks and positions by their definitions, and what they do to attention."""

import math

import numpy as np
import pytest

from regard.attending.masks import MASKS, both, causal, padding, window
from regard.attending.positions import RotaryPositions, distances, sinusoids

T = 7


@pytest.mark.parametrize(
    "mask, may_look",
    [
        (causal(T), lambda i, j: j <= i),
        (both(T), lambda i, j: True),
        (window(T, 3), lambda i, j: abs(i - j) <= 2),
        (padding(T, 5), lambda i, j: i < 5 and j < 5),
        (causal(T) & window(T, 3), lambda i, j: i - 2 <= j <= i),
    ],
)
def test_a_mask_is_true_where_a_query_may_read_a_key(mask, may_look):
    assert mask.dtype == bool
    assert mask.tolist() == [[may_look(i, j) for j in range(T)] for i in range(T)]


def test_masks_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="at least the word itself, so size must be 1 or more, got 0"):
        window(3, 0)
    for length in (-1, 4):
        with pytest.raises(ValueError, match="length must be from 0 to 3"):
            padding(3, length)
    assert not padding(3, 0).any()
    assert set(MASKS) == {"causal", "both"}


def test_distances_are_counted_from_the_word_itself_and_end_at_the_reach():
    assert distances(5, 5, reach=4).tolist() == [[min(abs(i - j), 3) for j in range(5)] for i in range(5)]
    # fewer queries than keys: the queries are the last words
    assert distances(2, 5, reach=9).tolist() == [[abs(i + 3 - j) for j in range(5)] for i in range(2)]


def test_waves_are_sines_and_cosines_of_falling_frequency():
    waves = sinusoids(5, 7)
    for t in range(5):
        for c in range(7):
            angle = t / 10_000 ** ((c - c % 2) / 7)
            assert waves[t, c] == pytest.approx(math.cos(angle) if c % 2 else math.sin(angle), abs=1e-15)


def test_rotary_needs_pairs():
    with pytest.raises(ValueError, match="the head width must be even, got 5"):
        RotaryPositions().angles(3, 5)


def test_after_turning_a_score_depends_on_the_distance_only(plain_variant, trace_of):
    """The same word everywhere: scores are equal along every diagonal, and change with the distance."""
    variant = plain_variant.but(positions="rotary", mask="both")
    scores = trace_of(variant, ids=[4] * 7).array("scores")
    for h in range(3):
        for i in range(6):
            for j in range(6):
                assert scores[h, i + 1, j + 1] == pytest.approx(scores[h, i, j], abs=1e-13)
    assert np.ptp(scores[0, 0]) > 1e-3
    # turning keeps lengths
    trace = trace_of(variant, tokens=7)
    for name in ("q", "k"):
        plain, moved = trace.array(f"layer0.{name}"), trace.array(f"layer0.{name}.rotated")
        np.testing.assert_allclose(np.linalg.norm(moved, axis=-1), np.linalg.norm(plain, axis=-1), rtol=1e-13)
        np.testing.assert_array_equal(moved[:, 0], plain[:, 0])
        assert not np.allclose(moved[:, 1], plain[:, 1])


def test_a_distance_bias_is_added_by_distance(plain_variant, trace_of):
    trace = trace_of(plain_variant.but(positions="distance", mask="both"), tokens=7)
    table, added = trace.array("position"), trace.array("biased") - trace.array("scaled")
    for h, i, j in np.ndindex(3, 7, 7):
        assert added[h, i, j] == pytest.approx(table[h, min(abs(i - j), 2)], abs=1e-14)


def test_words_without_positions_are_a_bag(plain_variant, trace_of):
    """With positions the order matters, without it does not."""
    for positions, equal in (
        ("bag", True),
        ("learned", False),
        ("waves", False),
        ("rotary", False),
        ("distance", False),
    ):
        variant = plain_variant.but(positions=positions, mask="both", task="every")
        one, other = trace_of(variant, ids=[1, 5, 9, 3]), trace_of(variant, ids=[5, 3, 1, 9])
        same = np.allclose(one.array("probabilities")[[1, 3, 0, 2]], other.array("probabilities"), atol=1e-12)
        assert same == equal, positions
