"""A text comes as an argument, from a file or from standard input, whole or only its end."""

import io
import json
import sys

import numpy as np
import pytest

import regard
from regard.cli import text as reading
from regard.cli.main import run
from regard.models.catalogue import find_model
from regard.models.cropping import last_tokens

FOX = "The quick brown fox"
LONG = "Once upon a time there was an extraordinarily little girl who liked marmalade. " * 40


@pytest.fixture
def typed(monkeypatch):
    def typed(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return typed


@pytest.fixture
def screen(capsys):
    def screen(*arguments: str) -> str:
        assert run(list(arguments)) == 0
        return capsys.readouterr().out

    return screen


@pytest.mark.parametrize(
    "command",
    [
        ["explain", "TEXT", "--next", "jumps"],
        ["why", "weights[fox,fox]", "--text", "TEXT", "--next", "jumps"],
        ["generate", "TEXT", "--model", "fox", "--count", "3"],
    ],
    ids=" ".join,
)
def test_argument_file_and_standard_input_are_the_same_text(command, screen, typed, tmp_path):
    wanted = screen(*(FOX if word == "TEXT" else word for word in command))
    typed(f"{FOX}\n".encode())
    assert screen(*("-" if word == "TEXT" else word for word in command)) == wanted
    for number, data in enumerate((FOX.encode(), f"\ufeff{FOX}\r\n\n".encode())):  # a mark and line ends are no words
        file = tmp_path / f"{number}.txt"
        file.write_bytes(data)
        assert screen(*(word for word in command if word not in ("TEXT", "--text")), "--file", str(file)) == wanted


@pytest.mark.parametrize("command", ["figure", "export"])
def test_figures_and_exports_read_files_too(command, screen, typed, tmp_path):
    pytest.importorskip("matplotlib")
    ending = {"figure": "svg", "export": "html"}[command]
    (tmp_path / "notes.txt").write_text(f"{FOX}\n", encoding="utf-8")
    written = []
    for name, given in {"a": [FOX], "b": ["-"], "c": ["--file", str(tmp_path / "notes.txt")]}.items():
        typed(FOX.encode())
        screen(command, *given, "--model", "fox", "-o", str(tmp_path / f"{name}.{ending}"))
        written.append((tmp_path / f"{name}.{ending}").read_bytes())
    assert written[0] == written[1] == written[2]


def test_the_name_of_a_file_is_a_text_and_a_note_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("never read", encoding="utf-8")
    assert run(["explain", "notes.txt", "--model", "fox", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["tokens"] == ["notes", ".", "txt"]
    assert "--file notes.txt reads the file" in err and len(err.splitlines()) == 1


MISUSE = {
    "both": (["TEXT", "--file", "notes.txt"], b"fox", "not both"),
    "no such file": (["--file", "absent.txt"], b"", "absent.txt: No such file"),
    "a folder": (["--file", "."], b"", "Is a directory"),
    "not UTF-8": (["--file", "notes.txt"], b"caf\xe9", "notes.txt is not UTF-8: byte 0xe9 at position 3"),
    "UTF-16": (["--file", "notes.txt"], "fox".encode("utf-16"), "notes.txt is not UTF-8: byte 0xff at position 0"),
    "nothing": (["--file", "notes.txt"], b"\n\n", "no words"),
    "too much": (["--file", "notes.txt"], b"a " * reading.MOST, "more than 1,000,000 bytes"),
    "an endless file": (["--file", "/dev/zero"], b"", "more than 1,000,000 bytes"),
}


@pytest.mark.parametrize("case", MISUSE)
def test_what_cannot_be_read_is_told_in_one_line(case, tmp_path, monkeypatch, capsys):
    arguments, data, said = MISUSE[case]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_bytes(data)
    assert run(["explain", *arguments, "--model", "fox"]) == 2
    err = capsys.readouterr().err
    assert said in err and len(err.splitlines()) == 1


def test_without_a_text_a_model_that_is_named_reads_its_own_sentence(screen, tmp_path, capsys):
    toy = str(tmp_path / "mine.toml")
    screen("toy", "new", toy)
    own = ["the small cat", "--next", "sat", "--model", toy]
    assert screen("explain", "--model", toy) == screen("explain", *own)
    assert screen("explain", "--model", toy, "--generate", "2") == screen(
        "explain", own[0], *own[3:], "--generate", "2"
    )
    assert screen("flow", "--model", toy) == screen("flow", *own)
    for command in ("explain", "flow", "figure"):
        assert run([command, *(["-o", "x.svg"] if command == "figure" else [])]) == 2
        assert "Missing argument 'TEXT'" in capsys.readouterr().err


def test_standard_input_is_bounded_and_checked(typed, capsys):
    for data, said in ((b"caf\xe9", "standard input is not UTF-8"), (b"a" * (reading.MOST + 7), "more than 1,000,000")):
        typed(data)
        assert run(["explain", "-", "--model", "fox"]) == 2
        assert said in capsys.readouterr().err


# the end of a text


@pytest.mark.parametrize("model", ["fox", "english", "masked"])
@pytest.mark.parametrize("count", [13, 29, 47])
def test_the_last_tokens_are_those_of_the_whole_text(model, count):
    found = find_model(model)
    end = last_tokens(found, LONG, count)
    whole, cut = found.tokenizer.words(LONG), found.tokenizer.words(end)
    assert LONG.rstrip().endswith(end.rstrip()) or model == "fox"  # whose words are joined by spaces
    assert 0 < len(cut) <= count and whole[-len(cut) :] == cut
    assert count - len(cut) < 8  # no more is left out than to the beginning of a word
    assert last_tokens(found, FOX, 64) == FOX


def test_a_word_that_is_too_long_is_begun_inside():
    found = find_model("english")
    word = "An extraordinarilyunbelievable"
    for count in (2, 3, 5):
        end = last_tokens(found, word, count)
        assert word.endswith(end) and 0 < len(found.tokenizer.words(end)) <= count
    with pytest.raises(ValueError, match="hold no words"):
        last_tokens(found, "A word " + "\n" * 40, 1)


def test_a_class_is_asked_for_within_the_last_tokens(tmp_path, write_run):
    found = find_model(write_run(tmp_path / "run", classes=("good", "bad")))
    trace = regard.explain(LONG, model=tmp_path / "run", last=found.settings.max_tokens)
    assert len(trace.info["tokens"]) <= found.settings.max_tokens


@pytest.mark.parametrize("command", ["explain", "why", "figure", "export"])
def test_a_text_that_is_too_long_is_told_with_the_remedy(command, tmp_path, capsys):
    asked = ["why", "logits[0]", "--text", LONG] if command == "why" else [command, LONG]
    if command in ("figure", "export"):
        asked += ["-o", str(tmp_path / {"figure": "a.svg", "export": "a.html"}[command])]
    assert run([*asked, "--model", "two-heads"]) == 2
    err = capsys.readouterr().err
    assert "reads at most 64" in err and err.endswith("--last 64\n") and len(err.splitlines()) == 1
    assert run([*asked, "--model", "two-heads", "--last", "64"]) == 0


def test_the_library_names_its_own_remedy():
    with pytest.raises(ValueError, match=r"the model fox reads at most 64 tokens, got 562; .*: last=64$"):
        regard.explain("word " * 562, model="fox")
    assert len(regard.explain("word " * 562, model="fox", last=64).info["tokens"]) == 64
    for wrong in (0, -3, "9", 2.5, True):
        with pytest.raises(ValueError, match="last expects a number of tokens"):
            regard.explain(FOX, last=wrong)


def test_the_next_command_replays_the_cropped_run(screen):
    shown = screen("explain", LONG, "--last", "23", "--model", "english", "--json")
    again = screen("explain", json.loads(shown)["text"], "--model", "english", "--json")
    assert json.loads(again)["readings"] == json.loads(shown)["readings"]


# what is no text


@pytest.mark.parametrize(
    "given, said",
    [
        (["The", "fox"], 'got a list of 2; join the words: " ".join'),
        (("The", "fox"), "got a tuple of 2; join the words"),
        ([464, 2068, 7586], "got a list of 3; token ids are not read"),
        (5, "got 5; pass a text"),
        (None, "got None; pass a text"),
        (b"The fox", "got 7 bytes; decode them"),
        (regard, "got a module; pass a text"),
        ({"text": "fox"}, "got a dict of 1"),
        ([], "got a list of 0; pass a text"),
    ],
    ids=str,
)
@pytest.mark.parametrize("model", [None, "fox", "english"])
def test_what_is_no_text_is_told(given, said, model):
    with pytest.raises(ValueError, match="the text must be one string") as caught:
        regard.explain(given, model=model)
    assert said in str(caught.value)


def test_arrays_and_paths_are_no_texts(tmp_path):
    for given, said in (
        (np.array([3, 5, 7]), r"an array of the shape \(3,\); token ids are not read"),
        (np.array(["The", "fox"]), "join the words"),
        (np.float64(3), "pass a text"),
        (tmp_path / "notes.txt", "read the file"),
    ):
        with pytest.raises(ValueError, match=said):
            regard.explain(given)
    with pytest.raises(ValueError, match="the next word must be one string, got 5"):
        regard.explain(FOX, next=5)
    with pytest.raises(ValueError, match="model expects a name such as 'fox', or a folder, got 5"):
        regard.explain(FOX, model=5)
