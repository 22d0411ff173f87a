"""Word vectors: neighbours, sums, analogies and maps by their definitions, one number at a time."""

import math

import numpy as np
import pytest

from regard.suggestions import NotFound
from regard.vectors import scanning
from regard.vectors.map2d import principal
from regard.vectors.wordvectors import WordVectors

ROWS, WIDTH = 211, 13


@pytest.fixture(scope="module")
def table():
    numbers = np.random.default_rng(0).normal(size=(ROWS, WIDTH)).astype(np.float32)
    numbers[7] = 0  # a word that was never seen in training
    return numbers


@pytest.fixture(scope="module")
def vectors(table):
    return WordVectors([f"w{i}" for i in range(ROWS)], table, counts=range(ROWS, 0, -1))


def cosine(a, b):
    a, b = [float(x) for x in a], [float(x) for x in b]
    lengths = math.sqrt(sum(x * x for x in a)) * math.sqrt(sum(x * x for x in b))
    return sum(x * y for x, y in zip(a, b)) / lengths if lengths else 0.0


def by_definition(table, asked, most, without=()):
    cosines = [(-cosine(row, asked), i) for i, row in enumerate(table) if i not in without]
    return [(f"w{i}", -negative) for negative, i in sorted(cosines)[:most]]


def unit(row):
    row = row.astype(np.float64)
    return row / math.sqrt(sum(x * x for x in row))


@pytest.mark.parametrize("block", [1, 17, 10**9])
def test_neighbours_by_definition_whatever_the_blocks(vectors, table, monkeypatch, block):
    monkeypatch.setattr(scanning, "BLOCK", block * WIDTH)
    expected = by_definition(table, table[5], 11, {5})
    found = list(vectors.near("w5", 11))
    assert [word for word, _ in found] == [word for word, _ in expected]
    assert [value for _, value in found] == pytest.approx([value for _, value in expected], abs=1e-12)


def test_near_ones_are_put_in_order_in_double_precision():
    """The cosines of far and less differ by 1e-12, which single precision does not see."""
    vectors = WordVectors(["right", "far", "less"], [[1, 0], [1, 1.0000e-4], [1, 0.9999e-4]])
    assert vectors.near("right", 1).words == ("less",)


def test_near_a_sum_leaves_out_its_words_unless_it_is_told_not_to(vectors, table):
    direction = unit(table[3]) - unit(table[19]) + 0.5 * unit(table[101])
    assert vectors.vector("w3 - w19 + 0.5 * w101") == pytest.approx(direction)
    expected = by_definition(table, direction, 5, {3, 19, 101})
    assert list(vectors.near("w3 - w19 + 0.5 * w101", 5).words) == [word for word, _ in expected]
    expected = by_definition(table, direction, 5)
    assert list(vectors.near("w3 - w19 + 0.5 * w101", 5, exclude=False).words) == [word for word, _ in expected]
    assert list(vectors.near(direction, 5).words) == [word for word, _ in expected], (
        "a vector has no words to leave out"
    )


def test_an_analogy_is_b_minus_a_plus_c(vectors, table):
    direction = unit(table[2]) - unit(table[1]) + unit(table[3])
    found = vectors.analogy("w1", "w2", "w3", most=4)
    assert list(found) == [
        (word, pytest.approx(value)) for word, value in by_definition(table, direction, 4, {1, 2, 3})
    ]
    assert found.word == "w2 − w1 + w3"
    assert vectors.analogy("w1", "w2", "w3", exclude=False).words[0] == by_definition(table, direction, 1)[0][0]


def test_the_cosine_with_a_vector_of_nothing_is_nothing(vectors):
    assert vectors.similarity("w7", "w8") == 0
    assert vectors.near("w7", 3).words == ("w0", "w1", "w2"), "all are equally near; the first come first"


def test_every_number_of_an_analogy_opens_down_to_the_vectors(vectors, table):
    found = vectors.analogy("w1", "w2", "w3", most=2)
    trace = found.trace
    word = found.words[0]
    name = "near2-1+3"
    assert trace.why(f"cosine[{word}]").symbols() == f"{name}.dot[{word}] / {name}.sizes[{word}]"
    assert trace.why(f"sizes[{word}]").symbols() == f"{name}.size[{word}]·{name}.own.size"
    assert trace.why("own[4]").symbols() == " + ".join(
        f"{name}.factors[{w}]·{name}.units[{w},4]" for w in ("w2", "w1", "w3")
    )
    assert trace.why("units[w1,4]").symbols() == f"{name}.rows[w1,4] / {name}.rows.size[w1]"
    assert trace["E[w1,4]"] == float(table[1, 4])
    for step in trace.forward:
        for at in np.ndindex(step.shape):
            if step.value.dtype.kind == "f":
                cell = trace.cell(trace.address_of(type(found.cosines[0])(step, at)))
                assert trace.why(cell).value == pytest.approx(cell.value, abs=1e-12)


def test_a_word_is_named_by_its_row_as_in_a_run_of_a_model(vectors):
    found = vectors.near("w5", 1)
    assert found.data()["near"][0]["cell"] == f"near5.cosine[{found.words[0]}]"


@pytest.mark.parametrize("asked", ["w5", "w2 - w1 + w3", "-w2 + w9"])
def test_a_cosine_has_the_same_name_and_value_among_all_words(vectors, asked):
    found = vectors.near(asked, 3)
    whole = vectors.trace()
    for cell in found.cosines:
        assert whole.cell(found.trace.address_of(cell)).value == pytest.approx(cell.value, abs=1e-12)


def test_a_sum_with_factors_opens_where_it_was_asked(vectors):
    found = vectors.near("w2 - 0.5 * w1", 1)
    assert found.trace.address_of(found.cosines[0]) == f"near.cosine[{found.words[0]}]"


def test_a_sum_by_numbers_that_do_not_exist_is_told(vectors):
    with pytest.raises(NotFound, match="no word 211; there are 211, counted from 0"):
        vectors.trace().cell("near3-211.cosine[w1]")
    with pytest.raises(NotFound, match="at most 100 words, got 101"):
        vectors.trace().cell(f"near{'+'.join('1' * 101)}.cosine[w1]")


def test_a_subset_keeps_its_order_vectors_and_counts(vectors, table):
    few = vectors.subset(["w9", "w4", "w9"])
    assert list(few.words) == ["w9", "w4"] and few.counts.tolist() == [ROWS - 9, ROWS - 4]
    assert (few["w4"] == table[4]).all()


def test_a_map_shows_the_two_directions_of_largest_spread(vectors, table):
    drawn = vectors.map2d()
    apart = table.astype(np.float64) - table.astype(np.float64).mean(axis=0)
    _, singular, directions = np.linalg.svd(apart, full_matrices=False)
    assert np.abs(drawn.places) == pytest.approx(np.abs(apart @ directions[:2].T), abs=1e-9)
    assert f"{(singular[:2] ** 2).sum() / (singular**2).sum():.0%} of how the words differ" in drawn.says
    assert drawn.trace.why("map.up[w3]").symbols().startswith("map.apart[w3,0]·map.up.direction[0] + ")
    assert drawn.trace.why("map.apart[w3,0]").symbols() == "E[w3,0] − map.middle[0]"
    assert drawn.cells(3)[1].value == drawn.places[3, 1]


def test_a_map_along_two_sums(vectors, table):
    drawn = vectors.map2d(["w1", "w2", "w9"], across="w1 - w2", up="w3")
    across, up = unit(table[1]) - unit(table[2]), table[3].astype(np.float64)
    expected = [[row @ across / np.linalg.norm(across), row @ up / np.linalg.norm(up)] for row in table[[1, 2, 9]]]
    assert drawn.places == pytest.approx(np.array(expected)) and drawn.words == ("w1", "w2", "w9")
    assert drawn.axes == ("w1 − w2", "w3") and f"{cosine(across, up):.2f}" in drawn.says
    assert drawn.trace.why("map.across.direction[4]").symbols() == "map.across.own[4] / map.across.size"
    with pytest.raises(ValueError, match="give both across and up"):
        vectors.map2d(up="w3")


def test_a_map_of_one_word_and_of_vectors_with_one_number():
    assert WordVectors(["a"], [[3.0, 4.0]]).map2d().places.tolist() == [[0, 0]]
    places = WordVectors(["a", "b"], [[3.0], [5.0]]).map2d().places
    assert places.tolist() == [[-1, 0], [1, 0]]


def test_principal_directions_do_not_depend_on_the_blocks(table, monkeypatch):
    whole = principal(table)
    largest = np.abs(whole[1]).argmax(axis=0)
    assert (whole[1][largest, [0, 1]] > 0).all(), "of a direction and its opposite, always the same"
    assert (principal(-table)[1] == pytest.approx(whole[1])) and np.linalg.norm(whole[1], axis=0) == pytest.approx(
        [1, 1]
    )
    monkeypatch.setattr(scanning, "BLOCK", 5 * WIDTH)
    for one, other in zip(principal(table), whole):
        assert one == pytest.approx(other, abs=1e-9)


def test_umap_says_what_to_install(vectors):
    try:
        import umap  # noqa: F401
    except ImportError:
        with pytest.raises(ValueError, match="pip install umap-learn"):
            vectors.map2d(by="umap")
    with pytest.raises(NotFound, match="no way to a plane is called 'pcb'; did you mean pca"):
        vectors.map2d(by="pcb")


def test_what_is_no_table_is_refused():
    with pytest.raises(ValueError, match="one row per word, got 2 rows for 1 words"):
        WordVectors(["a"], np.ones((2, 3)))
    with pytest.raises(ValueError, match="one row of numbers per word"):
        WordVectors(["a"], np.ones(3))
    with pytest.raises(ValueError, match="'a' is there more than once"):
        WordVectors(["a", "b", "a"], np.ones((3, 2)))
    with pytest.raises(ValueError, match="at least one character"):
        WordVectors([""], np.ones((1, 2)))
    with pytest.raises(ValueError, match="counts expects one whole number per word"):
        WordVectors(["a"], np.ones((1, 2)), counts=[0.5])
    with pytest.raises(ValueError, match="vector of 'b' holds NaN"):
        WordVectors(["a", "b"], [[1.0, 0.0], [np.nan, 0.0]]).near("a")
    with pytest.raises(ValueError, match="a vector expects 2 numbers"):
        WordVectors(["a"], np.ones((1, 2))).near([1.0, 2.0, 3.0])


def test_nothing_changes_a_table(table):
    vectors = WordVectors(["a"], table[:1].copy())
    with pytest.raises(ValueError, match="read-only"):
        vectors["a"][0] = 1


@pytest.mark.parametrize(
    "asked, said",
    [
        ("kng", "no vector for 'kng'; did you mean king?"),
        ("King", "no vector for 'King'; did you mean king?"),
        ("zzzzzz", "no vector for 'zzzzzz'; there are 4 words, such as king, man, ice cream, -"),
        ("king man", "there is no sign between 'king' and 'man'; write king + man"),
        ("king - ", "'king - ' has a sign without a word after 'king'"),
        ("- - king", "has a sign without a word at its beginning"),
        ("", "expects a word, or a sum such as 'king - man + woman', got ''"),
        ('"king', "is not a quoted word"),
        ("king + " * 200 + "king", "at most 100 words"),
    ],
)
def test_an_expression_that_means_nothing_is_told(asked, said):
    vectors = WordVectors(["king", "man", "ice cream", "-"], np.eye(4))
    with pytest.raises((ValueError, NotFound)) as told:
        vectors.near(asked)
    assert said in str(told.value)


@pytest.mark.parametrize("asked", ["king - man", "king-man", "king −man", '"king" - "man"', "king  -   1 * man"])
def test_a_sum_may_be_written_in_several_ways(asked):
    vectors = WordVectors(["king", "man", "ice cream", "-"], np.eye(4))
    assert vectors.vector(asked).tolist() == [1, -1, 0, 0]


def test_odd_words_of_a_sum():
    vectors = WordVectors(["king", "well-known", "ice cream", "-"], np.eye(4))
    assert vectors.vector('ice cream + well-known - "-"').tolist() == [0, 1, 1, -1]
    assert vectors.vector("-").tolist() == [0, 0, 0, 1]


def test_a_sum_that_comes_to_nothing_points_nowhere() -> None:
    royal = WordVectors(["king", "queen", "man"], [[2, 0], [2, 2], [1, 0]])
    for asked in ("king - king", "king - man"):
        with pytest.raises(ValueError, match="comes to nothing"):
            royal.near(asked)
