"""Whatever a text, a name or a file holds, the terminal shows it: no escape sequence of others is ever obeyed."""

import json

import pytest

from regard.cli.main import run
from regard.views.harmless import STEERS, harmless, harmless_json

CLIPBOARD = "\x1b]52;c;ZXZpbA==\x07"
HOSTILE = {
    "colours": "\x1b[31mred",
    "clipboard": CLIPBOARD,
    "title": "\x1b]0;mine\x1b\\",
    "C1": "\x9b31m\x9d52;c;x\x9c",
    "turned round": "a\u202ebc\u2066d\u200fe",
    "back": "secret\r\x08\x08safe",
    "bell and delete": "\x07\x7f",
    "line ends": "a\u2028b\u2029c\x85d\x0be\x0cf",
    "hidden": "a\u200bb\ufeffc\U000e0041d\u2060e",
}


def steers(screen: str) -> list[str]:
    """What could do something; the lines' own ends aside."""
    return STEERS.findall(screen.replace("\n", ""))


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_texts_words_and_cells(case, capsys):
    hostile = HOSTILE[case]
    own = ["--model", "fox"]
    for arguments in (
        ["explain", f"The {hostile} fox", *own],
        ["explain", f"The {hostile} fox", *own, "--json"],
        ["explain", "The fox", "--next", f"x{hostile}", *own],
        ["explain", f"Once upon {hostile} time", "--model", "english"],
        ["explain", "The fox", "--query", hostile, *own],
        ["explain", "The fox", "--edit", f"{hostile}=1", *own],
        ["explain", "The fox", "--model", hostile],
        ["generate", f"The {hostile} fox", "--count", "2", *own],
        ["generate", f"The {hostile} fox", "--count", "1"],
        ["flow", f"The {hostile} fox", *own],
        ["flow", f"The {hostile} fox", *own, "--json"],
        ["why", f"weights[{hostile},fox]"],
        ["why", "weights[0,0]", "--text", f"{hostile} fox", *own],
        ["why", "weights[0,0]", "--text", f"{hostile} fox", *own, "--as", "numpy"],
        ["lesson", hostile],
        ["check", f"{hostile}.md"],
        ["train", f"{hostile}.txt"],
        ["convert", hostile, "folder"],
        [hostile],
        ["explain", f"--{hostile}"],
    ):
        run(arguments)
        out, err = capsys.readouterr()
        assert not steers(out) and not steers(err), arguments
        assert out or err


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_files_and_their_names(case, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    hostile = HOSTILE[case].replace("/", "")
    page = tmp_path / f"{hostile}.md"
    page.write_text(f"0.5 + 0.5 = 1.2 {hostile}\n", encoding="utf-8")
    for arguments in (
        ["check", page.name, "--all"],
        ["check", page.name, "--json"],
        ["explain", "a", "--model", page.name],
    ):
        run(arguments)
        out, err = capsys.readouterr()
        assert not steers(out) and not steers(err) and (out or err)


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_runs(case, tmp_path, capsys, write_run):
    hostile = HOSTILE[case]
    named = write_run(tmp_path / f"evil{hostile.replace('/', '')}", text="a book", sentence=f"A {hostile} dog")
    told = write_run(tmp_path / "told", text=f"{hostile} book", sentence=hostile)
    classes = write_run(tmp_path / "classes", classes=(f"good{hostile}", "bad"), text="reviews")
    for folder in (named, told, classes):
        for arguments in (["explain", "A dog", "--model", str(folder)], ["why", "logits[0]", "--model", str(folder)]):
            assert run(arguments) == 0
            out, err = capsys.readouterr()
            assert not steers(out) and not steers(err)


def test_the_sequence_is_shown_as_signs(capsys):
    run(["explain", "The fox", "--model", f"a{CLIPBOARD}b"])
    assert r"\x1b]52;c;ZXZpbA==\x07" in capsys.readouterr().err


def test_json_means_what_it_meant():
    for hostile in HOSTILE.values():
        written = harmless_json(json.dumps({"a": hostile}, ensure_ascii=False))
        assert json.loads(written) == {"a": hostile} and not steers(written)


def test_ordinary_text_of_every_script_is_left_alone():
    for text in ("naïve café", "नमस्ते", "你好", "שלום", "می‌خواهم", "👨‍👩‍👧 👍🏽", "١٢٣", "√2 · 3 → 4"):
        assert harmless(text) == text
