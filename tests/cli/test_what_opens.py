"""A command that a screen offers can be copied as it stands, and opens the number it speaks of."""

import shlex

import pytest

from regard.cli.main import run

ANIMAL = "The animal did not cross the street because it was tired"
ASKED = [
    (["heads", ANIMAL, "--from", "it", "--to", "animal"], "layer2.weights[2,it,animal] = 0.62"),
    (["heads", "The [MASK] sat on the mat", "--model", "masked", "--from", "mat"], "layer2.weights[2,mat,the] = 0.98"),
    (["heads", "The quick brown fox", "--model", "fox", "--from", "fox", "--hide", "The"], "weights[fox,fox] = 0.83"),
    (["near", "king - man + woman"], "near1197-441+895.cosine[queen] = 0.65"),
    (["near", "fox", "--model", "fox"], "near3.cosine["),
    (["similar", "The cat sat", "The dog sat"], "similar[0,1] = 0.92"),
]


@pytest.mark.parametrize("arguments, opened", ASKED)
@pytest.mark.parametrize("columns", ["60", "120"])
def test_the_command_below_a_table_opens_its_first_number(arguments, opened, columns, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    assert run(arguments) == 0
    screen = capsys.readouterr().out
    command = screen[screen.index("\nopens ") :].removeprefix("\nopens").replace("\\\n", "")
    words = shlex.split(command)
    assert words[:2] == ["regard", "why"]
    assert run(words[1:]) == 0
    assert capsys.readouterr().out.startswith(opened)


def test_a_command_that_a_plain_screen_cannot_show_is_left_out(tmp_path, capsys):
    toy = tmp_path / "toy.toml"
    toy.write_text('words."naïve" = [0.1, 0.2]\nwords.cat = [0.9, 0.6]\n', encoding="utf-8")
    asked = ["heads", "naïve cat", "--model", str(toy), "--from", "cat", "--to", "naïve"]
    assert run(asked) == 0 and "\nopens " in capsys.readouterr().out
    assert run([*asked, "--plain"]) == 0 and "\nopens " not in capsys.readouterr().out
