"""`regard generate` streams what a model writes; `regard explain --generate` shows each word at a glance."""

import io
import json
import sys

import numpy as np
import pytest

from regard.cli.main import run
from regard.models.catalogue import find_model
from regard.models.model import Model
from regard.models.writing import Reader, write_on
from regard.text.tokenizer import END

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
        (["--generate", "2", "--model", "masked"], "cannot continue a text"),
        (["--generate", "2", "--mass", "0"], "mass above 0"),
        (["--generate", "-1"], "greater than or equal to 0"),
    ],
)
def test_misuse_gets_one_line(options, said, capsys):
    assert run(["explain", TEXT, *options]) == 2
    assert said in capsys.readouterr().err


# regard generate


def test_the_text_goes_on_as_the_model_writes_it(capsys):
    assert run(["generate", TEXT, "--words", "11"]) == 0
    model = find_model("english")
    *_, last = write_on(model, TEXT, 11)
    out, err = capsys.readouterr()
    assert out == model.tokenizer.joined(last.words) + "\n" and not err


def test_generate_draws_by_the_options(capsys):
    def text(*options):
        assert run(["generate", "The", "--count", "7", *options]) == 0
        return capsys.readouterr().out

    drawn = text("--temperature", "1.5", "--top-k", "40", "--seed", "1")
    assert drawn == text("--temperature", "1.5", "--top", "40", "--seed", "1")
    assert len({drawn, text("--temperature", "1.5", "--seed", "2"), text()}) == 3
    assert text("--temperature", "1.5", "--top-p", "1e-9") == text() == text("--temperature", "1.5", "--top-k", "1")


class Screen(io.StringIO):
    """Remembers what had been written at each flush; `then` is done when there is something."""

    def __init__(self, then=None):
        super().__init__()
        self.seen, self.then = [], then

    def flush(self):
        if self.getvalue() != (self.seen[-1] if self.seen else ""):
            self.seen.append(self.getvalue())
            if self.then:
                self.then(self)


def test_every_word_is_shown_when_it_is_chosen(monkeypatch):
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)
    assert run(["generate", "The quick", "--model", "fox", "--count", "3"]) == 0
    assert screen.seen == [
        "The quick", "The quick fox", "The quick fox fox", "The quick fox fox fox", "The quick fox fox fox\n"
    ]  # fmt: skip


def spoken(monkeypatch, pieces) -> Screen:
    """The English model made to say some pieces, by their numbers."""
    said = iter(pieces)
    monkeypatch.setattr(Reader, "logits_after", lambda self, words: np.eye(len(self.model.writes))[next(said)])
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)
    return screen


def test_characters_of_several_bytes_are_shown_whole(monkeypatch):
    bpe = find_model("english").tokenizer
    pieces = bpe.encode("x🦊é")[1:]
    assert len(pieces) > 3  # the fox has several, none of which is a character
    screen = spoken(monkeypatch, [*pieces, bpe.encode("🦊")[-2]])
    assert run(["generate", "x", "--count", str(len(pieces) + 1)]) == 0
    assert screen.seen[:-1] == ["x", "x🦊", "x🦊é"]
    assert screen.seen[-1] == "x🦊é\ufffd\n"  # what stayed half a character is told at the end


def test_the_end_of_the_text_and_what_a_terminal_would_obey(monkeypatch, capsys):
    bpe = find_model("english").tokenizer
    screen = spoken(monkeypatch, [bpe.encode("\x1b")[-1], bpe.end, bpe.end])
    assert run(["generate", "x", "--count", "5"]) == 0
    assert screen.getvalue() == "x\ufffd\n" and END not in screen.getvalue()
    assert not capsys.readouterr().err


def test_a_stop_ends_the_line(monkeypatch, capsys):
    def stop(screen):
        if len(screen.seen) == 3:
            raise KeyboardInterrupt

    screen = Screen(stop)
    monkeypatch.setattr(sys, "stdout", screen)
    assert run(["generate", "The quick", "--model", "fox"]) == 130
    assert screen.getvalue() == "The quick fox fox\n"
    assert "Traceback" not in capsys.readouterr().err


def test_a_full_text_is_told(capsys):
    assert run(["generate", "fox " * 62, "--model", "fox"]) == 0
    out, err = capsys.readouterr()
    assert out == "fox " * 64 + "fox\n" and "the text is full: fox reads at most 64 tokens" in err
    assert run(["generate", "fox " * 65, "--model", "fox"]) == 2
    out, err = capsys.readouterr()
    assert not out and "the model fox reads at most 64 tokens, got 65" in err and "--last 64" in err


@pytest.mark.parametrize(
    "options, said",
    [
        (["--model", "masked"], "masked guesses hidden words from both sides"),
        (["--count", "0"], "1"),
        (["--top-p", "2"], "mass above 0"),
        (["--model", "englsh"], "english"),
    ],
)
def test_misuse_of_generate_gets_one_line(options, said, capsys):
    assert run(["generate", TEXT, *options]) == 2
    out, err = capsys.readouterr()
    assert not out and said in err and err.count("\n") == 1


def test_only_the_words_that_are_shown_are_recorded(monkeypatch):
    recorded, real = [], Model.recorded
    monkeypatch.setattr(Model, "recorded", lambda self, *given: recorded.append(given[1]) or real(self, *given))
    assert run(["generate", TEXT, "--words", "5"]) == 0
    assert not recorded
    assert run(["explain", "The quick brown fox", "--model", "fox", "--generate", "5", "--json"]) == 0
    assert len(recorded) == 2  # all words at a glance, and the last with its loss
