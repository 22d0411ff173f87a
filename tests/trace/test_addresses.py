"""From what a person writes to a cell, and back; where there is none, what there is instead."""

import re

import numpy as np
import pytest

from regard.toys.shipped import shipped
from regard.trace import Cell, Labels


@pytest.fixture(scope="module")
def run():
    return shipped("fox").run("The quick brown fox", "jumps").backward()


@pytest.fixture(scope="module")
def odd(plain_variant, trace_of):
    """Two layers, three heads, the words: the cat the 4 a,b naïve ]"""
    return trace_of(plain_variant.but(layers="2layers"), tokens=7).backward()


@pytest.mark.parametrize(
    "written, name, at",
    [
        ("layer0.weights[0,fox,The]", "layer0.weights", (0, 3, 0)),
        ("weights[0,fox,The]", "layer0.weights", (0, 3, 0)),
        ("weights[fox,The]", "layer0.weights", (0, 3, 0)),
        ("weights[3,0]", "layer0.weights", (0, 3, 0)),
        ("weights[-1,-4]", "layer0.weights", (0, 3, 0)),
        ("layer0.head0.weights[fox,The]", "layer0.weights", (0, 3, 0)),
        ("head0.weights[fox,The]", "layer0.weights", (0, 3, 0)),
        ("weights.head0[fox,The]", "layer0.weights", (0, 3, 0)),
        ('weights["fox", The]', "layer0.weights", (0, 3, 0)),
        ("weights[ fox , The ]", "layer0.weights", (0, 3, 0)),
        ("weights.grad[fox,brown]", "layer0.weights.grad", (0, 3, 2)),
        ("weights.grad.average[fox]", "layer0.weights.grad.average", (0, 3)),
        ("W_Q[0,1]", "layer0.W_Q", (0, 0, 1)),
        ("W_Q[0,0,1]", "layer0.W_Q", (0, 0, 1)),
        ("W_Q.grad[1,0]", "layer0.W_Q.grad", (0, 1, 0)),
        ("logits[jumps]", "logits", (3,)),
        ("E[fox,1]", "E", (3, 1)),
        ("loss", "loss", ()),
        ("loss.grad", "loss.grad", ()),
        ("x.grad.via.layer0.q[fox,1]", "x.grad.via.layer0.q", (3, 1)),
    ],
)
def test_an_address_means_a_cell(run, written, name, at):
    cell = run.cell(written)
    assert (cell.step.name, cell.at) == (name, at)


@pytest.mark.parametrize(
    "written, name, at",
    [
        ("layer1.weights[2,the@2,cat]", "layer1.weights", (2, 2, 1)),
        ("layer1.head2.weights[the@2,cat]", "layer1.weights", (2, 2, 1)),
        ("layer0.head1.weights[the@0,the@2]", "layer0.weights", (1, 0, 2)),
        ('layer0.weights[0,"4",3]', "layer0.weights", (0, 3, 3)),
        ('layer0.weights[0,"a,b",naïve]', "layer0.weights", (0, 4, 5)),
        ('layer0.weights[0,"]","]"]', "layer0.weights", (0, 6, 6)),
        ('layer0.weights[0,"the"@2,cat]', "layer0.weights", (0, 2, 1)),
        ('layer0.weights[0,"na\\u00efve",4]', "layer0.weights", (0, 5, 4)),
        ("layer1.head2.v[cat,1]", "layer1.v", (2, 1, 1)),
        ("layer1.head2.W_K[6,1]", "layer1.W_K", (2, 6, 1)),
    ],
)
def test_odd_words_repeated_words_and_heads(odd, written, name, at):
    cell = odd.cell(written)
    assert (cell.step.name, cell.at) == (name, at)


def test_every_cell_is_found_again_by_what_it_is_called(run, odd):
    for trace in (run, odd):
        for step in trace.steps.values():
            for at in list(np.ndindex(step.shape))[:: max(1, int(np.prod(step.shape)) // 40)]:
                cell = Cell(step, at)
                assert trace.cell(trace.address_of(cell)) == cell
                assert trace.cell(trace.name_of(cell)) == cell, trace.name_of(cell)


def test_the_short_name_drops_what_is_not_needed(run, odd):
    assert run.name_of(run.cell("layer0.weights[0,3,0]")) == "weights[fox,The]"
    assert run.name_of(run.cell("layer0.weights.grad[0,3,0]")) == "weights.grad[fox,The]"
    assert run.address_of(run.cell("weights[3,0]")) == "layer0.weights[0,fox,The]"
    assert odd.name_of(odd.cell("layer1.weights[2,4,0]")) == 'layer1.weights[2,"a,b",the@0]'
    assert run.name_of(run.cell("loss")) == "loss"


def test_an_open_axis_is_a_row(run, odd):
    assert run["weights[fox]"].words == (("The", "quick", "brown", "fox"),)
    assert odd["layer0.head1.weights"].shape == (7, 7)
    assert odd["layer0.weights[1]"].shape == (7, 7)
    assert odd["layer0.weights[1,cat]"].axes == "K"
    assert np.array_equal(odd["layer0.head1.weights"].value, odd.array("layer0.weights")[1])


@pytest.mark.parametrize(
    "written, said",
    [
        ("wieghts[fox,The]", "no step 'wieghts'; did you mean weights|layer0.weights"),
        ("layer0.wieghts[fox,The]", "no step 'layer0.wieghts'; did you mean weights"),
        ("weights[fix,The]", "no query 'fix' here; did you mean fox"),
        ("weights[fox,Zebra]", "no key 'Zebra' here; there are The, quick, brown, fox"),
        ("weights[fox]", r"is not one number: layer0.weights has the axes head \(1\) × query \(4\) × key \(4\)"),
        ("weights", r"for example layer0.weights\[0,The,The\]"),
        ("weights[0,0,0,0]", r"layer0.weights has the axes head \(1\) × query \(4\) × key \(4\), got 4 positions"),
        ("weights[fox,4]", "key 4 does not exist; there are 4, from 0"),
        ("weights[fox,-5]", "key -5 does not exist"),
        ("weights[fox,The", "no closing bracket"),
        ('weights[fox,"The]', "put unusual words in double quotes|cannot read"),
        ("weights[fox,,The]", "cannot read"),
        ("logits.head0[jumps]", "logits has no heads; its axes are word"),
        ("head3.weights[fox,The]", "head 3 does not exist; there are 1"),
        ("W_Q[fox,0]", "the axis dimension has no words; give a number from 0 to 1"),
        ("weights[fox@1,The]", "position 1 is not 'fox'; there are fox"),
        ("", "no step ''"),
        ("grad", "no step 'grad'; did you mean|is in several places"),
    ],
)
def test_where_there_is_nothing_the_error_says_what_there_is(run, written, said):
    with pytest.raises(KeyError) as caught:
        run.cell(written)
    assert re.search(said, str(caught.value)), str(caught.value)
    assert str(caught.value) == caught.value.args[0]  # a sentence, not the repr of one


def test_what_is_in_several_places_must_be_said_which(odd):
    with pytest.raises(KeyError, match=r"'weights' is in several places; say which: layer0.weights, layer1.weights"):
        odd.cell("weights[0,0,0]")
    with pytest.raises(KeyError, match="'the' occurs 2 times; say which: the@0, the@2"):
        odd.cell("layer0.weights[0,the,cat]")
    with pytest.raises(KeyError, match="position 1 is not 'the'; there are the@0, the@2"):
        odd.cell("layer0.weights[0,the@1,cat]")


def test_words_are_written_so_that_they_can_be_read_again():
    words = (
        "the",
        "4",
        "-1",
        "a@2",
        "a,b",
        'say "x"',
        "x]",
        "",
        " ",
        "naïve",
        "don't",
        "the",
        "\n",
        "@",
        "🦊",
        "_",
        "a@2",
    )
    labels = Labels({"K": words})
    for position in range(len(words)):
        assert labels.position("K", len(words), labels.word("K", position)) == position
    assert labels.word("K", 0) == "the@0" and labels.word("K", 10) == "don't" and labels.word("K", 1) == '"4"'
    with pytest.raises(KeyError, match="is not a quoted word"):
        labels.position("K", len(words), '"the')


def test_one_word_alone_needs_no_more_than_its_name():
    run = shipped("fox").run("fox", "jumps")
    assert run.cell("weights[fox]").at == (0, 0, 0)
    assert run.cell("weights").at == (0, 0, 0)
    assert run["weights[fox,fox]"] == 1.0
    assert run.name_of(run.cell("weights")) == "weights[fox]"


def test_a_word_that_was_read_as_several_tokens_is_explained():
    labels = Labels({"Q": ("App", "…le", "and", "ph", "…one", "…s", "…le"), "I": ("App", "…le")})
    with pytest.raises(KeyError) as told:
        labels.position("Q", 7, "apple")
    assert str(told.value) == (
        "'apple' is read as 2 tokens here: App (number 0), …le (number 1); write the number of one of them instead, "
        "such as 1 for the last, which has read the others"
    )
    with pytest.raises(KeyError, match=r"no query 'phone' here"):
        labels.position("Q", 7, "phone")  # phonesle is another word
    with pytest.raises(KeyError, match=r"no word read 'apple' here"):
        labels.position("I", 2, "apple")  # neighbours in a vocabulary make no word
    assert labels.position("Q", 7, "…one") == labels.position("Q", 7, "4") == 4
