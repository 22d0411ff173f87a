"""Whatever a text, a name or a file holds, the terminal shows it: no escape sequence of others is ever obeyed."""

import json
import os
import re
import subprocess
import sys
import unicodedata
from pathlib import Path
from types import SimpleNamespace

import pytest

import regard
from regard.cli.main import run
from regard.cli.progress import Progress
from regard.training.source import Source
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


def test_hostile_runs_in_a_list(tmp_path, capsys, write_run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number, hostile in enumerate(HOSTILE.values()):
        write_run(Path(f"runs/{number}{hostile.replace('/', '')}"), text=hostile, sentence=f"A {hostile}")
        write_run(Path(f"runs/broken{number}"), model={hostile: hostile}, task=hostile)
    for arguments in (["models"], ["models", "--json"], ["train", "--list"], ["train", "--stop", *os.listdir("runs")]):
        run(arguments)
        out, err = capsys.readouterr()
        assert not steers(out) and not steers(err) and (out or err), arguments


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


# signs that are seen where they stand: the joiners of emoji and Persian, and marks around Arabic numbers and the like
SHOWN = {"\u200c", "\u200d", *map(chr, range(0x600, 0x606)), *"\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"}


def test_every_sign_that_unicode_calls_control_format_or_surrogate_is_escaped():
    kinds = ("Cc", "Cf", "Cs", "Zl", "Zp")
    every = [chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) in kinds]
    assert len(every) > 2000 and [ascii(sign) for sign in every if harmless(sign) == sign and sign not in SHOWN] == []
    assert all(harmless(sign) == sign for sign in SHOWN)


# what others print in our name


def failing(code: str) -> str:
    """What stands on standard error after a command in which something unforeseen happens."""
    program = f"import sys, regard.cli.main as m\ndef unforeseen(*_, **__):\n    {code}\nm.app = unforeseen\nm.main()"
    environment = {**os.environ, "PYTHONPATH": str(Path(regard.__file__).parents[1]), "PYTHONWARNINGS": "default"}
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment).stderr


@pytest.mark.parametrize(
    "code",
    [
        "raise RuntimeError({0!r})",  # a traceback
        "raise ValueError({0!r})",  # an error of ours
        "raise OSError(5, {0!r}, {0!r})",
        "import warnings; warnings.warn({0!r})",
        "import logging; logging.basicConfig(); logging.error({0!r})",
        "import threading; t = threading.Thread(target=lambda: print({0!r}, file=sys.stderr)); t.start(); t.join()",
    ],
)
def test_tracebacks_warnings_and_logs_are_harmless_too(code):
    told = failing(code.format(f"bad {CLIPBOARD} thing"))
    assert r"\x1b]52;c;ZXZpbA==\x07" in told and not steers(told)


# commands that are suggested

TRAP = "It costs $(touch hacked) `touch hacked` 5'6\"; touch hacked #"


def copied(printed: str, folder: Path) -> list[str]:
    """The words that a shell makes of what was printed, were it copied: a `regard` that only tells them."""
    (folder / "bin").mkdir()
    (folder / "bin/regard").write_text('#!/bin/sh\nprintf "%s\\0" "$@"\n')
    (folder / "bin/regard").chmod(0o755)
    environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    done = subprocess.run(["sh", "-c", printed], cwd=folder, env=environment, capture_output=True, text=True)
    assert not (folder / "hacked").exists(), printed
    return done.stdout.split("\0")[:-1]


@pytest.fixture
def run_of_a_stranger():
    """As much of a training run as is needed for its last words."""
    sizes = SimpleNamespace(layers=1, heads=1, width=2)
    training = SimpleNamespace(updates=5, batch=1, accumulate=1, window=4)
    trainer = SimpleNamespace(processes=SimpleNamespace(first=True), network=SimpleNamespace(size=9))
    return SimpleNamespace(
        folder=Path(f"runs/a {TRAP}"), sentence=f"-{TRAP}", source=SimpleNamespace(name="x"), classes=(), notes=(),
        task=SimpleNamespace(counted=lambda side: "9 tokens"), tokens=SimpleNamespace(learned=0, held_out=0),
        bpe=SimpleNamespace(size=300), plan=SimpleNamespace(sizes=sizes, training=training), trainer=trainer, updates=3,
        patience=SimpleNamespace(best=None), ended=True,
    )  # fmt: skip


def test_the_command_that_looks_inside_a_run_runs_nothing_of_its_text(run_of_a_stranger, tmp_path, capsys):
    told = Progress(run_of_a_stranger, plain=True)
    told.end(stopped=False)
    printed = capsys.readouterr().out.rpartition("look inside with: ")[2]
    folder = str(run_of_a_stranger.folder)
    assert copied(printed, tmp_path) == ["explain", "--model", folder, "--", run_of_a_stranger.sentence]


def test_the_command_that_continues_a_run_runs_nothing_of_its_name(run_of_a_stranger, tmp_path, capsys):
    run_of_a_stranger.ended = False
    Progress(run_of_a_stranger, plain=True).end(stopped=True)
    printed = capsys.readouterr().out.rpartition("continue with: ")[2]
    assert copied(printed, tmp_path) == ["train", "--resume", str(run_of_a_stranger.folder)]


def test_nor_does_the_one_that_gives_a_run_its_text_again(tmp_path):
    folder = tmp_path / f"a {TRAP}".replace("/", "")
    with pytest.raises(ValueError, match="give the text") as caught:
        Source("lost.txt", ("lost.txt",), None).files(folder)
    printed = str(caught.value).rpartition("give the text: ")[2]
    assert copied(printed, tmp_path) == ["train", "PATH", "--resume", "--out", str(folder)]


def test_nor_the_one_that_reads_a_file(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = TRAP.replace("/", "")
    Path(name).write_text("x")
    run(["explain", name, "--model", "fox"])
    told = capsys.readouterr()
    printed = re.search(r"(--file .*) reads the file", told.err)[1]
    assert copied(f"regard {printed}", tmp_path) == ["--file", name]
    # the screen's own suggestion: its lines joined as a shell joins them, and the text as the toy cut it
    suggested = told.out[told.out.index(" next  ") :].removeprefix(" next")
    (tmp_path / "screen").mkdir()
    words = copied(suggested, tmp_path / "screen")
    assert words[0] == "why" and words[words.index("--text") + 1].replace(" ", "") == name.replace(" ", "")
