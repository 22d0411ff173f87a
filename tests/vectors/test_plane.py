"""Places in a plane are those of the definition, drawn or opened, whichever part of a table is asked for."""

import numpy as np
import pytest

from regard.ops.narrow import Narrow
from regard.vectors.plane import Along, Principal, placed, places
from regard.vectors.wordvectors import WordVectors

ROWS, WIDTH = 53, 7


@pytest.fixture(scope="module")
def vectors():
    table = np.random.default_rng(1).normal(size=(ROWS, WIDTH)).astype(np.float32) * [5, 3, 1, 1, 1, 1, 1]
    return WordVectors([f"w{i}" for i in range(ROWS)], table)


def along_by_definition(vectors, sums):
    """Across and up of each word: the dot product with the sum of unit vectors, brought to length 1."""
    table = np.asarray(vectors.vectors, np.float64)
    units = table / np.sqrt((table**2).sum(axis=1))[:, None]
    found = np.zeros((ROWS, 2))
    for axis, terms in enumerate(sums):
        direction = sum(sign * units[int(word[1:])] for sign, word in terms)
        for row in range(ROWS):
            found[row, axis] = sum(a * b for a, b in zip(table[row], direction / np.sqrt(sum(direction**2))))
    return found


def test_a_plane_along_two_sums(vectors):
    plane = Along.of(vectors, "w3 - w11", "w2 - w11")
    expected = along_by_definition(vectors, [[(1, "w3"), (-1, "w11")], [(1, "w2"), (-1, "w11")]])
    assert plane.axes == ("w3 − w11", "w2 − w11")
    np.testing.assert_allclose(places(vectors, plane, range(5, 47)), expected[5:47], rtol=1e-12, atol=1e-12)
    nearest = vectors.near("w2 - w11 + w3", 5, beside=plane.words)
    trace = placed(vectors, nearest, plane)
    for i, row in enumerate(nearest.rows):
        assert trace.array("map.across")[i] == pytest.approx(expected[row, 0], rel=1e-12)
        assert trace[f"map.up[w{row}]"] == pytest.approx(expected[row, 1], rel=1e-12)
    assert str(trace.why("map.alike")).startswith("map.alike = ")


def test_a_plane_along_the_principal_directions(vectors):
    table = np.asarray(vectors.vectors, np.float64)
    apart = table - table.mean(axis=0)
    _, sizes, directions = np.linalg.svd(apart, full_matrices=False)
    plane = Principal.of(vectors, ROWS)
    found = places(vectors, plane, range(ROWS))
    for axis in (0, 1):
        expected = apart @ directions[axis]
        sign = np.sign(expected @ found[:, axis])
        np.testing.assert_allclose(found[:, axis], sign * expected, atol=1e-10)
    nearest = vectors.near("w4", 3)
    trace = placed(vectors, nearest, plane)
    np.testing.assert_allclose(trace.array("map.across"), found[list(nearest.rows), 0], atol=1e-12)
    assert float(trace.array("map.shown")) == pytest.approx((sizes[:2] ** 2).sum() / (sizes**2).sum())


def test_the_first_words_decide_and_a_narrow_table_is_not_widened_whole(vectors):
    narrow = WordVectors(vectors.words, Narrow(np.asarray(vectors.vectors, np.float32)))
    one, other = Principal.of(vectors, 20), Principal.of(narrow, 20)
    np.testing.assert_allclose(one.middle, np.asarray(vectors.vectors[:20], np.float64).mean(axis=0), rtol=1e-6)
    np.testing.assert_allclose(one.directions, other.directions, atol=1e-5)


def test_a_direction_without_words_that_are_there_is_refused(vectors):
    with pytest.raises(KeyError, match="no vector for 'king'"):
        Along.of(vectors, "king - w1", "w2 - w1")
