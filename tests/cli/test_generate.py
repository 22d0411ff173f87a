"""`regard explain --generate`: the words a model writes, each at a glance, the last explained."""

import json

import pytest

from regard.cli.main import run

TEXT = "Once upon a time there was a little"


def test_the_words_are_shown_and_the_last_is_explained(capsys):
    assert run(["explain", TEXT, "--generate", "2", "--plain"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"writes  {TEXT} girl named")
    assert "rather than boy" in out and "12 UPDATE" in out and 'query = last word "girl"' in out


def test_the_numbers_are_those_of_the_runs(capsys):
    assert run(["explain", TEXT, "--generate", "2", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [w["word"] for w in data["written"]] == ["girl", "named"] and data["next"] == "named"
    assert run(["explain", TEXT, "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    chances = {c["word"]: c["probability"] for c in first["candidates"]}
    assert data["written"][0]["probability"] == pytest.approx(chances["girl"], rel=1e-12)
    assert data["written"][0]["rival_probability"] == pytest.approx(chances["boy"], rel=1e-12)


def test_drawing_depends_on_the_seed_alone(capsys):
    texts = []
    for seed in (1, 1, 2, 3):
        drawn = ["--generate", "3", "--temperature", "1.5", "--top", "40", "--seed", str(seed), "--plain"]
        assert run(["explain", "The", "--model", "english", *drawn]) == 0
        texts.append(capsys.readouterr().out.splitlines()[0])
    assert texts[0] == texts[1] and len(set(texts)) > 1


@pytest.mark.parametrize(
    "options, said",
    [
        (["--generate", "2", "--next", "girl"], "chooses the words itself"),
        (["--generate", "2", "--model", "masked"], "cannot write on"),
        (["--generate", "2", "--mass", "0"], "mass a share"),
        (["--generate", "-1"], "greater than or equal to 0"),
    ],
)
def test_misuse_gets_one_line(options, said, capsys):
    assert run(["explain", TEXT, *options]) == 2
    assert said in capsys.readouterr().err
