"""Every number of a comparison is a cell: the cosine, the vectors, and what they were pooled from, run by run."""

import json

import numpy as np
import pytest

import regard
from regard.cli.main import run
from regard.lens.similar import MOST_TEXTS, compared
from regard.models.catalogue import find_model
from regard.views.ink import Ink, cells_of
from regard.views.similar import similar_lines

TEXTS = ("The quick brown fox", "The fox", "brown quick The")


@pytest.fixture(params=["fox", "untrained", "english", "masked"])
def model(request):
    return request.param


def test_it_is_the_mean_of_the_last_vectors(model):
    found = regard.similar(TEXTS, model)
    for text, vector in zip(TEXTS, found.vectors):
        trace = find_model(model).as_written(text)
        last = trace.step("pooled").inputs[0].value
        mean = [sum(last[t, c] for t in range(len(last))) / len(last) for c in range(last.shape[1])]
        assert vector == pytest.approx(np.array(mean) / sum(x * x for x in mean) ** 0.5, abs=1e-12)
    for i, j in np.ndindex(len(TEXTS), len(TEXTS)):
        assert found.cosines[i, j] == pytest.approx(float(np.dot(found.vectors[i], found.vectors[j])), abs=1e-12)


def test_the_last_vectors_are_those_that_predict():
    trace = find_model("english").as_written(TEXTS[0])
    assert trace.step("pooled").inputs[0] is trace.step("read").inputs[0]
    masked = find_model("masked").as_written(TEXTS[0])
    assert masked.step("pooled").inputs[0].name == "layer5.norm2.moved"  # not what the guessing part makes of it


def test_a_cosine_opens_down_to_the_other_run(model):
    found = regard.similar(TEXTS, model)
    opened = [arithmetic for _, arithmetic in found.why("similar[0,2]").walk(4)]
    assert opened[0].value == found.cosines[0, 2]
    assert any("sentence[" in each.name and "“brown quick The”" in each.name for each in opened)
    assert any("pooled.size" in each.name for each in opened)
    for each in opened:
        assert eval(each.numpy(), {"np": np}) == pytest.approx(each.value, abs=1e-12)
    pooled = found.trace.cell("vectors[2,1]:pooled[1]")
    assert pooled.value == find_model(model).as_written(TEXTS[2])["pooled[1]"]


def test_runs_are_made_again_when_they_are_opened():
    """Of a thousand runs only a few are kept."""
    fox, read = find_model("fox"), []
    found = compared([f"The quick fox{n % 2 * ' brown'}" for n in range(40)], lambda t: read.append(t) or fox.run(t))
    assert found.cosines.shape == (40, 40) and len(read) == 40
    assert len(found.trace.others) <= 3
    found.trace.why("vectors[5,0]")
    assert len(read) in (40, 41)


def test_every_number_on_screen_is_a_cell():
    for texts, width in ((TEXTS[:2], 120), (TEXTS, 120), (TEXTS, 60), (TEXTS * 5, 120)):
        found = regard.similar(texts, "fox")
        numbers = [(line.plain[a:b], at) for line in similar_lines(found, Ink(width)) for a, b, at in cells_of(line)]
        assert numbers
        for written, address in numbers:
            assert float(written) == pytest.approx(found.trace[address], abs=5e-4)


def test_the_command_reads_arguments_or_the_lines_of_a_file(tmp_path, capsys):
    assert run(["similar", *TEXTS, "--model", "fox", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["texts"] == list(TEXTS) and np.shape(told["vectors"]) == (3, 2)
    (tmp_path / "texts.txt").write_text("\n".join([TEXTS[0], "", *TEXTS[1:], ""]))
    assert run(["similar", "--file", str(tmp_path / "texts.txt"), "--model", "fox", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == told
    assert run(["similar", *TEXTS[:2], "--model", "fox", "--plain"]) == 0
    command = capsys.readouterr().out.splitlines()[-1]
    assert "regard why 'similar[0,1]' --model fox --text 'The quick brown fox' --with 'The fox'" in command
    assert run(["why", "similar[0,1]", "--model", "fox", "--text", TEXTS[0], "--with", TEXTS[1], "--depth", "3"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"similar[0,1] = {told['cosines'][0][1]:.4f}") and "(“The fox”)" in out


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["similar", "The fox"], "expects 2 to 1,000 texts to compare, got 1"),
        (["similar"], "got 0"),
        (["similar", "a", "b", "--file", "x"], "not both"),
        (["why", "similar[0,1]", "--with", "The fox"], "give --text"),
        (["why", "similar[0,1]", "--text", "a", "--with", "b", "--next", "c"], "no other option"),
        (["why", "similar[0,9]", "--text", "a", "--with", "b"], "other text 9 does not exist; there are 2"),
    ],
)
def test_what_cannot_be_compared_is_told(arguments, said, capsys):
    assert run([*arguments, "--model", "fox"]) == 2
    assert said in capsys.readouterr().err


def test_there_are_not_too_many_texts():
    with pytest.raises(ValueError, match=r"2 to 1,000 texts to compare, got 1,001"):
        compared(["a"] * (MOST_TEXTS + 1), find_model("fox").run)
